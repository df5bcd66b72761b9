// Draws everything that this site shows. Without a browser there is nothing to read.
const stage = document.getElementById("stage");
const pen = stage.getContext("2d");
const words = ["Wir sind", "we are", "nous sommes", "founded 1899", "Obsidian Circus GmbH"];
function frame(t) {
  stage.width = innerWidth; stage.height = innerHeight;
  pen.fillStyle = "#14091f"; pen.fillRect(0, 0, stage.width, stage.height);
  pen.strokeStyle = "#ff4fd8"; pen.lineWidth = 6;
  pen.beginPath(); pen.arc(stage.width / 2, stage.height / 2, 80 + 20 * Math.sin(t / 700), 0, Math.PI * 2); pen.stroke();
  pen.fillStyle = "#ffffff"; pen.fillText(words[Math.floor(t / 2000) % words.length], 40, 60);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
