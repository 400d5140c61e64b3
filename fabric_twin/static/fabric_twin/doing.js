// The next step of a work order, large. What is said is kept in the phone until the server has
// taken it: each report has an id of its own, so that sending it twice changes nothing.
//
//     tap --> queue (IndexedDB) --> POST reports/ --> answers --> POST next/ --> steps as they are
"use strict";

(() => {
    const order = JSON.parse(document.getElementById("order").textContent);
    const SETTLED = new Set(["done", "cannot", "verified"]);
    const AGAIN = 4000; // milliseconds until the network is tried again
    const SOON = 1000; // milliseconds until the fabric may have done its part
    const STORE = `fabric-twin ${order.id} ${order.crew} ${order.user}`;
    const before = order.steps; // as the page was made, to which its walk belongs
    // A page that is given out without a network may be older than what was learnt since.
    const known = JSON.parse(localStorage.getItem(STORE) || "null");
    if (known && known.at > order.at) { Object.assign(order, known); }
    let steps = new Map(order.steps.map((step) => [step.number, step]));
    let queue = [];
    let online = navigator.onLine;
    let looked = 0; // the step whose ports were read
    let live = [];
    let called = false; // whether a worker was called, and the fabric does its part
    let soon = 3; // looks that come so soon; then it waits as long as for a network
    let busy = false;
    let asked = Number(new URLSearchParams(location.search).get("step")) || 0; // by the address, or by a code on paper
    let refused = false; // nothing is sent by itself until somebody did something about it

    // The queue, in the phone

    async function kept() {
        const all = await stored("readonly", (reports) => reports.getAll());
        return all.filter((report) => report.order === order.id && report.user === order.user)
            .sort((one, other) => one.at - other.at || one.place - other.place);
    }

    // The server

    const post = server(order);

    async function send() {
        if (busy) { return; }
        busy = true;
        refused = false;
        try {
            let many = TOGETHER;
            while (queue.length) {
                const some = together(queue, many);
                try {
                    const told = await post("reports/", { reports: some.map(sent) });
                    await drop(some.map((report) => report.id));
                    queue = queue.slice(some.length);
                    told.answers.forEach(answered);
                    soon = 3;
                    remember();
                    many = TOGETHER;
                } catch (error) {
                    if (!(error instanceof Refusal && error.unusable)) { throw error; }
                    // One of them is: it is looked for, and the others go on.
                    if (some.length > 1) { many = Math.ceil(some.length / 2); continue; }
                    await giveUp(some[0], error.message);
                    many = TOGETHER;
                }
            }
            online = true;
            await refresh();
        } catch (error) {
            if (error instanceof Refusal) { refusedBy(error); } else { online = false; }
        } finally {
            busy = false;
            if (online && queue.length && !refused) { setTimeout(send, 0); }
            show();
        }
    }

    // What the server can never take: first the photo stays behind, then the report, and it is said.
    async function giveUp(report, why) {
        if (report.photo) {
            report.photo = "";
            await keep(report);
            say(`The photo of step ${report.step} was refused, its reason is sent without it: ${why}`);
            return;
        }
        await drop([report.id]);
        queue = queue.filter((other) => other !== report);
        const step = steps.get(report.step);
        if (step) { note(step.words, `refused: ${why}`); }
        say(`Step ${report.step} was refused: ${why}`);
    }

    // What is kept goes on being kept; who is not logged in is told how.
    function refusedBy(refusal) {
        online = true;
        refused = refusal.stranger || queue.length > 0;
        if (!refusal.stranger) { say(refusal.message); return; }
        const link = Object.assign(document.createElement("a"), {
            href: `${order.login}?next=${encodeURIComponent(location.pathname + location.search)}`,
            textContent: "Log in again",
        });
        say("You are logged out. Your reports are kept on this phone. ");
        $("said").append(link);
    }

    function answered(answer) {
        const step = steps.get(answer.step);
        if (step) { step.state = answer.state; }
        if (answer.taken) { return; }
        say(`Step ${answer.step}: ${answer.why}`);
        note(step ? step.words : `step ${answer.step}`, `refused: ${answer.why}`);
    }

    // What the server took, or told, is newer than the page that the worker gives out.
    function remember() {
        order.at = Math.max(order.at + 0.001, Date.now() / 1000);
        const { at, state, done, all, cannot } = order;
        const known = JSON.stringify({ at, state, done, all, cannot, steps: [...steps.values()] });
        try { localStorage.setItem(STORE, known); } catch { /* full: then the page's own steps do */ }
    }

    // What the port shows now; and what a worker had the fabric do meanwhile.
    async function refresh() {
        const told = await post(`next/?crew=${order.crew}`);
        const before = new Map(steps);
        order.at = told.at;
        order.state = told.state;
        order.done = told.done;
        order.all = told.all;
        order.cannot = told.cannot;
        steps = new Map(told.steps.map((step) => [step.number, step]));
        remember();
        layOver();
        looked = told.next;
        live = told.live;
        called = told.called;
        if (called && soon > 0) { soon -= 1; setTimeout(send, SOON); }
        const next = steps.get(told.next);
        if (next) { next.why = told.why || (next.state === "waiting" ? "" : next.why); }
        // What was said to be done, and is not: "done" is not what is true of it any more.
        lines.forEach((line) => {
            if (line[1] === "done" && told.steps.some((step) => step.failed && step.words === line[0])) { line[1] = "to be done again"; }
        });
        Object.entries(told.by_fabric).forEach(([number, is]) => {
            const was = before.get(Number(number));
            if (was && SETTLED.has(is.state)) { note(was.words, is.state); }
        });
    }

    // What is not sent yet was said after the server spoke.
    function layOver() {
        queue.forEach((said) => { const step = steps.get(said.step); if (step) { step.state = said.told; } });
    }

    // What somebody says

    async function report(step, told, more) {
        const made = {
            id: crypto.randomUUID(), order: order.id, user: order.user, step: step.number, told,
            at: Date.now() / 1000, place: queue.length, scanned: "", reason: "", photo: "", ...more,
        };
        await keep(made);
        queue.push(made);
        hush();
        layOver(); // the steps may be others than when it was said: the server answered meanwhile
        if (told === "cannot") { order.cannot.push({ number: step.number, words: step.words, why: made.reason }); }
        if (step.number === asked) { asked = 0; }
        note(step.words, told === "cannot" ? `cannot: ${made.reason}` : told === "undone" ? "again" : "done");
        show();
        send();
    }

    // As the server compares them (core/orders/labels.py): no case, no spaces around.
    const sameLabel = (one, other) => one.trim().toLowerCase() === other.trim().toLowerCase();

    function scanned(event) {
        event.preventDefault();
        const step = current();
        const label = $("label").value.trim();
        const there = onPaper(label);
        if (there) { $("label").value = ""; follow(there); return; }
        if (!sameLabel(label, step.cable)) {
            say(`This is ${label || "nothing"}. ${step.cable} is meant for ${step.device} port ${step.port}: put it back, and find ${step.cable}.`);
            $("label").select();
            return;
        }
        report(step, "done", { scanned: label });
    }

    // What the camera read: a label as if it was typed, or the code of a step on paper.
    function read(text) {
        const there = onPaper(text);
        if (there) { follow(there); return; }
        if ($("scan").hidden) { say(`This code says ${text}. This step asks for no label.`); return; }
        $("label").value = text;
        $("scan").requestSubmit();
    }

    // To the step of a code on paper: here if it is this crew's or names no crew. Another order is
    // offered, and so is another crew without a network: its page may not be in this phone.
    function follow(there) {
        if (there.order !== order.id) {
            say("This code is for another order. ");
            $("said").append(Object.assign(document.createElement("a"), { href: pageOf(there), textContent: "Open that order" }));
            return;
        }
        const crew = there.crew || order.crew;
        if (!online && crew !== order.crew) {
            say("No network. This code is for ");
            $("said").append(Object.assign(document.createElement("a"), { href: pageOf(there), textContent: `crew ${crew}'s page` }), ", which opens only if it was open on this phone before.");
        } else if (crew !== order.crew || (online && there.step && !steps.has(there.step))) {
            location.href = pageOf({ ...there, crew });
        } else {
            asked = there.step;
            history.replaceState(null, "", pageOf({ crew: order.crew, step: asked }));
            hush();
            show();
            if ($("asked").hidden) { say(asked ? "This is the next step." : "This is this order.", true); }
        }
    }

    // The camera, until it has read a code or is closed with the same button.
    async function scanWithCamera() {
        if (!$("seen").hidden) { $("seen").hidden = true; showCamera(false); return; }
        await film($("seen"), order.decoder, read).catch((error) => say(cameraSays(error)));
    }

    async function cannot(event) {
        event.preventDefault();
        const step = current();
        const file = $("photo").files[0];
        let photo = "";
        let unread = false;
        if (file) { photo = await small(file).catch(() => { unread = true; return ""; }); }
        $("unable").open = false;
        await report(step, "cannot", { reason: $("reason").value.trim(), photo });
        $("cannot").reset();
        if (unread) { say(`This phone cannot read the picture ${file.name}. What you wrote is sent without it.`); }
    }

    // The page

    const current = () => [...steps.values()].find((step) => !SETTLED.has(step.state));
    const say = (words, well = false) => { $("said").textContent = words; $("said").className = well ? "well" : ""; $("said").hidden = false; };
    const hush = () => { $("said").hidden = true; };
    const lines = [];

    function note(words, what) {
        lines.unshift([words, what]);
        lines.length = Math.min(lines.length, 5);
    }

    function show() {
        const left = [...steps.values()].filter((step) => !SETTLED.has(step.state));
        const step = left[0];
        const settled = order.done + (steps.size - left.length);
        $("share").value = order.all ? settled / order.all : 1;
        $("counts").textContent = `${settled} of ${order.all} steps${order.crews > 1 ? ` of crew ${order.crew}` : ""}`;
        const many = queue.length;
        $("net").hidden = online && !many;
        $("net").textContent = `${online ? "" : "No network. "}${many ? `${many} not sent yet; kept on this phone.` : ""}`.trim();
        const running = order.state === "under way";
        showAsked(running ? step : null);
        $("step").hidden = !step || !running;
        $("over").hidden = Boolean(step) && running;
        if (step && running) { showStep(step); } else { showEnd(step); }
        const then = left.slice(1, 5).map((ahead) => [[ahead.words, ahead.do === "go" && spot(ahead.rack)].filter(Boolean).join(": ")]);
        $("next").hidden = !then.length || !running;
        fill($("then"), then);
        showRoute(step, running);
        showUndone();
        $("said-before").hidden = !lines.length;
        fill($("last"), lines.map(([words, what]) => [words, ": ", bold(what)]));
    }

    // The step that was asked for, where it is not the one below.
    function showAsked(next) {
        const words = turnOf(asked, order, steps, next);
        const of = order.asked && order.asked.number === asked ? order.asked.crew : 0;
        $("asked").hidden = !words;
        $("asked").textContent = words;
        if (words && of && of !== order.crew) {
            $("asked").append(" ", Object.assign(document.createElement("a"), { href: pageOf({ crew: of, step: asked }), textContent: `Open crew ${of}` }));
        }
    }

    // Where the walk leads from here.
    function showRoute(next, running) {
        const walk = route(order.walk || { racks: [], stops: [] }, before, steps, (step) => SETTLED.has(step.state), next);
        $("route").hidden = !walk.lines.length || !(running || order.state === "assigned");
        $("walk").textContent = walk.words;
        $("floor").replaceChildren(...walk.drawing);
        fill($("stops"), walk.lines.map((stop) => [bold(stop.turn), " ", stop.words, stop.isHere ? bold(" · now") : ""]));
    }

    function showStep(step) {
        $("step").dataset.number = step.number;
        const wrong = step.still_wrong;
        $("still-wrong").hidden = !wrong;
        $("seen-there").textContent = wrong ? wrong.seen : "";
        $("to-try").textContent = wrong ? wrong.try : "";
        $("where").textContent = [spot(step.rack), `rack ${step.rack.name}`, step.unit && `unit ${step.unit}`].filter(Boolean).join(" · ");
        $("words").textContent = step.words.charAt(0).toUpperCase() + step.words.slice(1);
        $("place").textContent = step.place;
        $("drawn").replaceChildren(...drawn(step));
        const facts = [
            ["Device", step.device], ["Port", step.port], ["Cable", step.cable],
            ["Other end", step.other.join(" port ")], ["In", step.other_rack ? [`rack ${step.other_rack.name}`, spot(step.other_rack)].filter(Boolean).join(", ") : ""],
            ["Length", step.length ? `${step.length} m` : ""],
            ["Part", step.part], ["Bundle", step.fabric ? "" : step.bundle], // the words of a test name it
        ].filter(([, what]) => what);
        $("facts").replaceChildren(...facts.flatMap(([name, what]) => [
            Object.assign(document.createElement("dt"), { textContent: name }),
            Object.assign(document.createElement("dd"), { textContent: what }),
        ]));
        const why = whyNot(step);
        const waits = step.fabric && step.why && !(wrong && wrong.seen === step.why);
        $("locked").hidden = !why || step.fabric;
        $("locked").textContent = why;
        $("by-fabric").hidden = !step.fabric;
        $("goes-on").textContent = online ? "This page goes on by itself." : "It goes on when there is a network.";
        $("waits").hidden = !waits;
        $("waits").textContent = waits ? `It waits: ${step.why}.` : "";
        $("live").hidden = !(live.length && looked === step.number);
        $("live").textContent = `Live ports beside it, do not touch: ${live.join(", ")}`;
        const scan = step.do === "scan" && !why;
        if ($("scan").hidden && scan) { $("label").value = ""; }
        $("scan").hidden = !scan;
        $("done").hidden = scan || Boolean(why);
        $("look").hidden = !why || step.fabric;
        $("unable").hidden = step.fabric;
        document.title = `${order.name}: ${step.words}`;
    }

    // Why the port must not be touched; empty where it may be.
    function whyNot(step) {
        const early = step.after.filter((number) => steps.has(number) && !SETTLED.has(steps.get(number).state));
        if (step.fabric) { return "The fabric does this."; }
        if (early.length) { return `It waits for step ${early[0]}.`; }
        if ((step.guarded || step.need) && looked !== step.number) { return online ? "Reading the port again." : "Locked: the port must be read again before it is touched, and there is no network."; }
        if (step.state === "locked") { return `Locked: ${step.why || "the port was not read"}.`; }
        return "";
    }

    // What could not be done may be tried again: with the part, the key, another person.
    function showUndone() {
        const open = !["done", "withdrawn", "drafted"].includes(order.state);
        const given = new Set(queue.filter((said) => said.told === "undone").map((said) => said.step));
        const left = order.cannot.filter((step) => !given.has(step.number));
        $("undone").hidden = !left.length;
        fill($("cannots"), left.map((step) => {
            const again = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Try again" });
            again.hidden = !open;
            again.setAttribute("aria-label", `Try again: ${step.words}`);
            again.addEventListener("click", () => report(steps.get(step.number) || step, "undone", {}));
            return [step.words, ": ", bold(step.why), " ", again];
        }));
    }

    function showEnd(step) {
        $("ending").textContent = ENDINGS[order.state] || order.state;
        const act = { "assigned": "start", "paused": "start", "reopened": "start", "under way": "finish" }[order.state];
        $("act").hidden = !act || (act === "finish" && Boolean(step));
        $("act").textContent = { start: "Start", finish: "Finish" }[act] || "";
        $("act").dataset.act = act || "";
    }

    // The life of the page

    $("scan").addEventListener("submit", scanned);
    $("cannot").addEventListener("submit", cannot);
    $("done").addEventListener("click", () => report(current(), "done", {}));
    $("look").addEventListener("click", () => send());
    ["camera", "paper"].forEach((name) => {
        $(name).addEventListener("click", scanWithCamera);
        $(name).hidden = !navigator.mediaDevices; // a browser has it by https, or on this machine
    });
    $("act").addEventListener("click", async (event) => {
        try {
            order.state = (await post(`${event.target.dataset.act}/`)).state.value || order.state;
            hush();
            await send();
        } catch (error) { if (error instanceof Refusal) { refusedBy(error); } else { say("No network: try again."); } }
    });
    window.addEventListener("online", () => { online = true; send(); });
    window.addEventListener("offline", () => { online = false; show(); });
    // What goes on without this phone: the fabric's step, another crew's, the end of the order.
    const waits = () => order.state === "awaiting light" || (order.state === "under way" && (!current() || whyNot(current())));
    setInterval(() => { if (!refused && (!online || queue.length || called || waits())) { send(); } }, AGAIN);
    if ("serviceWorker" in navigator) {
        // The page came before its worker: asked for once more, it is kept.
        const begun = () => { if (navigator.serviceWorker.controller) { fetch(location.href).catch(() => {}); } };
        navigator.serviceWorker.addEventListener("controllerchange", begun);
        navigator.serviceWorker.register(order.worker).then(begun).catch(() => {});
    }

    kept().then((all) => {
        queue = all;
        layOver();
        send();
        show();
    });
})();
