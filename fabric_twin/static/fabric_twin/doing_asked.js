// The step that an address or the code on paper asks for. It is shown, never jumped to: what is
// due first comes first.
"use strict";

// What a code on an order's paper opens: an order, and a crew and a step where it names them (else 0).
// null where a code is anything else, such as a label.
function onPaper(text) {
    let url;
    try { url = new URL(text); } catch { return null; }
    const order = /\/work-orders\/([0-9a-f-]{36})\/do\/$/.exec(url.pathname);
    if (!order) { return null; }
    return { order: order[1], crew: Number(url.searchParams.get("crew")) || 0, step: Number(url.searchParams.get("step")) || 0 };
}

// The page of a crew and a step: of this order by default, always of this site.
function pageOf({ order, crew, step }, here = location.pathname) {
    const asked = new URLSearchParams();
    if (crew > 1) { asked.set("crew", crew); }
    if (step) { asked.set("step", step); }
    const path = order ? here.replace(/[0-9a-f-]{36}(?=\/do\/$)/, order) : here;
    return `${path}${[...asked].length ? `?${asked}` : ""}`;
}

// What is said of the step that was asked for; nothing where it is the next one.
function turnOf(number, order, steps, next) {
    if (!number || (next && next.number === number)) { return ""; }
    const step = steps.get(number) || (order.asked && order.asked.number === number ? order.asked : null);
    if (!step) { return `Step ${number} is not on this phone: it is finished, or comes after the steps that are kept here.`; }
    if (!step.state) { return `This order has no step ${number}.`; }
    if (step.crew && step.crew !== order.crew) { return `Step ${number} is crew ${step.crew}'s: ${step.words}.`; }
    if (step.state === "cannot") { return `Step ${number} could not be done: ${step.words}${step.why ? ` (${step.why})` : ""}.`; }
    if (step.state === "done" || step.state === "verified") { return `Step ${number} is done: ${step.words}.`; }
    if (step.state === "not due") { return `Step ${number} is only done if the light test still fails: ${step.words}.`; }
    return `This is step ${number}: ${step.words}.${next ? ` Step ${next.number} comes first.` : ""}`;
}
