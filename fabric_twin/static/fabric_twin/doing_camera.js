// The camera reads codes, where the browser can.
"use strict";

// Shows what the camera sees in `video`, until a code is read or nobody wants one.
async function film(video, isWanted, found) {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    const reader = new BarcodeDetector({ formats: ["qr_code"] });
    video.srcObject = stream;
    video.hidden = false;
    await video.play();
    const stop = () => { stream.getTracks().forEach((track) => track.stop()); video.hidden = true; };
    const look = async () => {
        if (video.hidden || !isWanted()) { stop(); return; }
        const codes = await reader.detect(video).catch(() => []);
        if (codes.length) {
            stop();
            found(codes[0].rawValue);
        } else { requestAnimationFrame(look); }
    };
    look();
}
