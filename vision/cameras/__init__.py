"""The kinds of camera there are. `vision.camera.open_camera` picks one."""
