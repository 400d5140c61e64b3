// The walk: the floor with each stop's turn, as on the order's paper, and the stops that are ahead.
"use strict";

const route = (() => {
    const WIDE = 358, LEFT = 18, TALL = 24; // as a phone is wide; where racks begin; from row to row

    // How many steps of each stop are left. The page may be older than what was done since: what
    // was to be done then and is settled now is taken off, what came back is added.
    function stopsNow(walk, before, steps, isSettled) {
        const known = new Set(before.map((step) => step.number));
        const last = Math.max(0, ...known);
        return walk.stops.map((stop) => {
            const inside = (number) => number >= stop.first && number <= stop.last;
            const gone = [...known].filter((number) => inside(number) && (!steps.has(number) || isSettled(steps.get(number)))).length;
            const back = [...steps.values()].filter((step) => inside(step.number) && step.number < last && !known.has(step.number) && !isSettled(step)).length;
            return { ...stop, left: Math.max(0, stop.left - gone + back) };
        });
    }

    function floor(walk, stops, here) {
        const each = Math.min(28, (WIDE - LEFT) / Math.max(1, walk.places));
        const left = new Map(stops.map((stop) => [stop.turn, stop.left]));
        const svg = shape("svg", { viewBox: `0 0 ${WIDE} ${TALL * walk.rows + 4}`, width: "100%", role: "img", "aria-label": here ? `The floor; now stop ${here.turn}, rack ${here.rack}` : "The floor" });
        for (let row = 1; row <= walk.rows; row += 1) { svg.append(shape("text", { x: 0, y: TALL * row - 7 }, row)); }
        walk.racks.forEach((rack) => {
            const x = LEFT + (rack.place - 1) * each;
            const y = TALL * (rack.row - 1) + 4;
            const turn = rack.turns.find((one) => left.get(one) > 0) || rack.turns[rack.turns.length - 1];
            const is = !turn ? "one" : here && here.turn === turn ? "here" : left.get(turn) ? "ahead" : "over";
            const drawn = shape("g", { class: is });
            drawn.append(shape("title", {}, turn ? `stop ${turn}: ${rack.name}` : rack.name));
            drawn.append(shape("rect", { x: x + 0.5, y, width: each - 2, height: TALL - 8, rx: 2 }));
            if (turn) { drawn.append(shape("text", { x: x + each / 2 - 0.5, y: y + 12, "text-anchor": "middle" }, turn)); }
            svg.append(drawn);
        });
        return svg;
    }

    // The head of the walk in words, its drawing, and its stops; `next` is the step that is due.
    return (walk, before, steps, isSettled, next) => {
        const stops = stopsNow(walk, before, steps, isSettled);
        const here = next && stops.find((stop) => next.number >= stop.first && next.number <= stop.last);
        const ahead = stops.filter((stop) => stop.left > 0 || stop === here);
        const metres = ahead.filter((stop) => stop !== here).reduce((sum, stop) => sum + stop.metres, 0);
        const words = `Route: ${here ? `stop ${here.turn} of ${stops.length}` : `${stops.length} stops`}, ${Math.round(metres)} m to walk`;
        const lines = ahead.map((stop) => ({
            turn: stop.turn,
            isHere: stop === here,
            words: [stop.rack, stop.building, stop.row && `row ${stop.row}, place ${stop.place}`, `${Math.round(stop.metres)} m`, `${stop.left} step${stop.left === 1 ? "" : "s"}`].filter(Boolean).join(" · "),
        }));
        return { words, lines, drawing: walk.racks.length ? [floor(walk, stops, here)] : [] };
    };
})();
