// Makes the live page live: answers without leaving the page, and shows what others did. Every form works
// without this file too.
"use strict";

const live = document.getElementById("live");
const at = live ? { ...live.dataset, version: Number(live.dataset.version) } : null;
const part = (name) => document.getElementById(name);
const LOCKOUT = 300; // milliseconds after a changed ask in which a tap is taken for one on the old ask
const PATIENCE = 10_000; // milliseconds after which a form that got no answer may be sent again
const INSIST = 5_000; // milliseconds in which what a connection lost is sent again
const SILENCE = 45_000; // milliseconds after which a stream is dead: the box says something every 20 seconds
const WIDEST = 1.6; // how many times as wide as its place a board may be and still be shown whole
const OUT_OF_REACH = "The box is out of reach. Trying again.";
const NO_ANSWER = "The box does not answer. Nothing was lost; try again.";
const BACK = "The box answers again. If what you sent last is not there, send it again.";
const teller = (name) => (words) => Object.assign(part(name), { textContent: words, hidden: !words });
const trouble = teller("trouble");
const lost = teller("lost");
let unlock = 0;

// Keeps open what was open: details are told apart by their summary.
function replace(element, html) {
  const open = new Set([...element.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
  element.innerHTML = html;
  for (const summary of element.querySelectorAll("summary")) {
    if (open.has(summary.textContent)) summary.parentElement.open = true;
  }
}

// What was typed for a value stays, and for the table that it was meant for, until it is sent.
function showSide(html) {
  const path = part("side").querySelector("form:not(.busy) [name=path]");
  const isTyped = path && [...path.form.elements].some((one) => one.value !== (one.defaultValue ?? one.value));
  const focus = document.activeElement;
  replace(part("side"), html);
  const fresh = part("side").querySelector("[name=path]");
  if (!isTyped || !fresh) return;
  fresh.form.replaceWith(path.form);
  if (path.form.contains(focus)) focus.focus({ preventScroll: true });
}

function show(frame) {
  if (frame.boot === at.boot && frame.version <= at.version) return;
  const asked = frame.mark !== at.mark;
  Object.assign(at, { boot: frame.boot, version: frame.version, n: String(frame.n), mark: frame.mark });
  const focus = document.activeElement;
  const focused =
    part("ask").contains(focus) ||
    part("side").contains(focus) ||
    (focus === document.body && live.querySelector("form.busy")); // Safari gives a tapped button no focus
  const typing = part("side").querySelector("input:focus");
  const answered = part("ask").querySelector("form.busy");
  // Who takes back finds the button where it was, and who reads below the same line, however long the asks above
  // are: not every browser sees to that by itself.
  const isBelow = part("side").querySelector("form.busy") || part("question").getBoundingClientRect().bottom < 0;
  const height = part("side").getBoundingClientRect().top;
  if (asked) {
    replace(part("ask"), frame.ask);
    // What was asked may have been longer than the phone, what is asked now stands at its top.
    if (answered) part("question").scrollIntoView({ block: "nearest" });
    part("said").textContent = frame.said;
    trouble("");
    live.classList.add("locked");
    clearTimeout(unlock);
    unlock = setTimeout(() => live.classList.remove("locked"), LOCKOUT);
  }
  if (asked || !typing) showSide(frame.side);
  if (isBelow && !answered) scrollBy(0, part("side").getBoundingClientRect().top - height);
  if (focused && asked && !(typing && typing.isConnected)) part("question").focus({ preventScroll: true });
  live.dataset.n = at.n;
  part("picture").src = frame.board;
}

// Over a connection that was cut nothing comes back for minutes, not even an error.
async function reach(address, options) {
  const asked = new AbortController();
  const late = setTimeout(() => asked.abort(), PATIENCE);
  try {
    return await fetch(address, { ...options, signal: asked.signal });
  } finally {
    clearTimeout(late);
  }
}

// What a connection lost, as on a phone that has just woken, is sent again: by its number it counts once.
async function insist(address, options) {
  const end = Date.now() + INSIST;
  for (;;) {
    try {
      return await reach(address, options);
    } catch (error) {
      if (error.name === "AbortError" || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form));
  if (submitter && submitter.name) body.append(submitter.name, submitter.value);
  const go = form.elements.path ? reach : insist; // of a value that was set the second would be told as too late
  form.classList.add("busy");
  try {
    const response = await go(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    if (response.status === 401) return location.assign("/pair");
    const type = response.headers.get("content-type") || "";
    if (!type.startsWith("application/json")) throw new Error(await response.text());
    const said = await response.json();
    if (said.error && form.elements.path) form.classList.remove("busy"); // what was typed stays
    if (said.frame) show(said.frame);
    form.elements.n.value = at.n;
    trouble(said.error);
  } catch (error) {
    if (!form.isConnected) return; // the stream has brought what came of it
    trouble(error instanceof TypeError || error.name === "AbortError" ? NO_ANSWER : error.message);
  } finally {
    form.classList.remove("busy");
  }
}

// A form that is under way is not sent again: a second tap would begin a second session, or keep a note twice.
const ready = new WeakSet();
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (ready.delete(form)) return;
  const isBusy = form.classList.contains("busy");
  const isLive = form.matches("[data-live]");
  if (isBusy || isLive || event.submitter) event.preventDefault();
  if (isBusy) return;
  if (isLive) return send(form, event.submitter);
  form.classList.add("busy");
  if (event.submitter) submit(form, event.submitter);
});

// Where the box is away, the browser's own page of that would take the place of all that was typed.
async function submit(form, button) {
  for (const told of form.querySelectorAll(".away")) told.remove();
  try {
    await reach("/pair", { method: "HEAD" });
  } catch {
    form.classList.remove("busy");
    form.insertAdjacentHTML("beforeend", `<p class="error away" role="alert">${NO_ANSWER}</p>`);
    return;
  }
  ready.add(form);
  button.click();
  setTimeout(() => form.classList.remove("busy"), PATIENCE);
}

// Who comes back to a form finds it as it was, also one that was left under way. Safari takes whole pages up as
// they were left: where nothing was typed, what the box holds now is shown.
window.addEventListener("pageshow", (event) => {
  for (const form of document.querySelectorAll("form.busy")) form.classList.remove("busy");
  const fields = [...document.querySelectorAll("input:not([type=hidden]), textarea")];
  const isTyped = fields.some((one) => one.value !== one.defaultValue || one.checked !== one.defaultChecked);
  if (event.persisted && !live && !isTyped) location.reload();
});

if (live) {
  // What the box says of a stream that it closed: only who is not paired (any more) is sent elsewhere from there.
  const reason = async () => {
    try {
      const said = await fetch(live.dataset.events, { redirect: "manual" });
      if (said.body) said.body.cancel();
      return said.type === "opaqueredirect" ? "forgotten" : said.status === 204 ? "not open" : "";
    } catch {
      return "";
    }
  };
  let events = null;
  let again = 0;
  let silence = 0;
  let isTorn = false;
  // A board that a phone would make too small to read is drawn larger, to be moved sideways: a square one from its
  // middle on, as its corners may be empty.
  const fit = () => {
    const { classList, naturalHeight, naturalWidth, parentElement: box } = part("picture");
    const isWide = naturalWidth > WIDEST * box.clientWidth;
    if (isWide === classList.contains("wide")) return;
    classList.toggle("wide", isWide);
    if (naturalWidth < 1.2 * naturalHeight) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
  };
  part("picture").onload = fit;
  window.addEventListener("resize", fit);
  fit();
  // A board that was lost on its way is asked for again once the box is heard.
  part("picture").onerror = () => {
    isTorn = true;
  };
  // A box that lost its power says no goodbye: the browser goes on waiting at its stream.
  const heard = () => {
    if (isTorn) part("picture").src = part("picture").src;
    isTorn = false;
    clearTimeout(silence);
    silence = setTimeout(() => {
      lost(OUT_OF_REACH);
      listen();
    }, SILENCE);
  };
  // A browser has six connections to one box: tabs that nobody looks at would take them all. And while a phone
  // sleeps its stream may end without a word.
  const listen = () => {
    clearTimeout(again);
    clearTimeout(silence);
    if (events) events.close();
    if (document.hidden) return;
    heard();
    events = new EventSource(live.dataset.events);
    events.addEventListener("beat", heard);
    events.onmessage = (message) => {
      heard();
      lost("");
      if (part("trouble").textContent === NO_ANSWER) trouble(BACK);
      show(JSON.parse(message.data));
    };
    // The browser tries again by itself, unless the box said that there is nothing to see.
    events.onerror = async ({ target }) => {
      const closed = target.readyState === EventSource.CLOSED;
      const why = closed ? await reason() : "";
      if (why === "forgotten") return location.assign("/pair");
      if (target !== events) return;
      lost(why === "not open" ? "This session is not open on the box now. Look under Play." : OUT_OF_REACH);
      if (closed) again = setTimeout(listen, 3000);
    };
  };
  listen();
  document.addEventListener("visibilitychange", listen);
}

// Forms that are checked as one types.
const checked = document.querySelector("form[data-check]");
if (checked) {
  let waiting = 0;
  let sent = 0;
  const check = async () => {
    sent += 1;
    const nth = sent;
    try {
      const response = await fetch(checked.dataset.check, {
        method: "POST", body: new URLSearchParams(new FormData(checked)), headers: { Accept: "text/html" },
      });
      const said = await response.text();
      if (response.ok && nth === sent) part("checked").innerHTML = said;
    } catch {
      if (nth === sent) part("checked").textContent = NO_ANSWER; // what it said was of what stood there before
    }
  };
  checked.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(check, 300);
  });
}

// A card that is tapped is the next of several that were drawn, as long as there is another of it.
const slots = (card) => [...card.form.elements.answer];
function count() {
  for (const card of document.querySelectorAll(".deck button")) {
    const given = slots(card).filter((one) => one.value === card.value).length;
    card.setAttribute("aria-disabled", given >= Number(card.dataset.copies));
  }
}
if (live) {
  part("ask").addEventListener("input", count);
  part("ask").addEventListener("click", ({ target }) => {
    const card = target.closest(".deck button:not([aria-disabled=true])");
    const next = card && slots(card).find((one) => !one.value);
    if (!next) return;
    next.value = card.value;
    next.dispatchEvent(new Event("input", { bubbles: true }));
    part("said").textContent = `${next.labels[0].firstChild.data.trim()}: ${card.textContent}`;
  });
}

// What was begun in an ask stays also where its page is left, as for the board or the log, and where a phone that
// slept had to drop it; so too of a card's question, while it stands there as it did. It comes last: a browser that
// may keep nothing breaks off here.
if (part("ask")) {
  const begun = () => [...part("ask").querySelectorAll("input:not([type=hidden]), select, textarea")];
  const asked = `${location.pathname} ${part("ask").innerHTML}`;
  const mark = () => (live ? at.mark : asked);
  part("ask").addEventListener("input", () => {
    const fields = begun().map(({ value, checked }) => ({ value, checked }));
    sessionStorage.setItem("begun", JSON.stringify({ mark: mark(), fields }));
  });
  const kept = JSON.parse(sessionStorage.getItem("begun"));
  if (kept && kept.mark === mark()) begun().forEach((one, nth) => Object.assign(one, kept.fields[nth]));
  count();
}

// So does what was typed of a card, until it is kept: it is offered, not put in, as the card may say more by now.
if (checked) {
  const key = `typed ${location.pathname}`;
  const form = () => new URLSearchParams(new FormData(checked));
  const put = (sent) => sessionStorage.setItem(key, JSON.stringify({ form: form().toString(), sent }));
  const typed = (fields) => [...fields].filter(([name]) => name !== "seen").join("\n");
  const kept = JSON.parse(sessionStorage.getItem(key));
  const left = new URLSearchParams(kept ? kept.form : "");
  const isKept = kept && kept.sent && left.get("seen") !== form().get("seen");
  const again = document.createElement("form");
  if ("typed" in checked.dataset) {
    put(false);
  } else if (isKept) {
    sessionStorage.removeItem(key); // else it would be offered once the card is forgotten, and as it was before
  } else if (kept && typed(left) !== typed(form())) {
    again.method = "post";
    again.action = `${location.pathname}#checked`;
    again.innerHTML =
      '<p class="note">What was typed here last was not kept. <button name="again">Go on with it</button></p>';
    for (const [name, value] of left) {
      again.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    checked.before(again);
  }
  checked.addEventListener("input", () => {
    again.remove();
    put(false);
  });
  checked.addEventListener("submit", ({ submitter }) => put(!(submitter && submitter.name)));
}
