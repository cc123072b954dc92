/** A drawing of a few bytes that takes as long to show as its sides are long: a minute and more from 4000 on. */
export function slowPicture(side = 4000): Buffer {
  const noise = '<feTurbulence baseFrequency="0.05" numOctaves="9"/>'
  const filter = `<filter id="f" x="0" y="0" width="1" height="1">${noise}</filter>`
  const rect = `<rect width="${side}" height="${side}" filter="url(#f)"/>`
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${filter}${rect}</svg>`)
}
