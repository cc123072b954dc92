/** The sample: a picture drawn here, so that nothing has to be brought along. */
const WIDTH = 640
const HEIGHT = 400

/** Colours of a picture, not of the page. */
const SKY = ['#ffd9a8', '#f2622e']
const HILLS = ['#5b3a4a', '#3a2b3d', '#1f1a2b']

/** Of the outline of a hill, in shares of the height. */
const outline = (x: number, which: number): number =>
  0.55 + which * 0.13 + 0.07 * Math.sin(x * (5 + which * 2) + which * 2.1) + 0.03 * Math.sin(x * 17 + which)

function draw(context: CanvasRenderingContext2D): void {
  const sky = context.createLinearGradient(0, 0, 0, HEIGHT)
  for (const [index, color] of SKY.entries()) sky.addColorStop(index, color)
  context.fillStyle = sky
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = '#fff6e8'
  context.beginPath()
  context.arc(WIDTH * 0.68, HEIGHT * 0.36, 44, 0, Math.PI * 2)
  context.fill()
  for (const [which, color] of HILLS.entries()) {
    context.fillStyle = color
    context.beginPath()
    context.moveTo(0, HEIGHT)
    for (let x = 0; x <= WIDTH; x += 4) context.lineTo(x, HEIGHT * outline(x / WIDTH, which))
    context.lineTo(WIDTH, HEIGHT)
    context.fill()
  }
}

export async function drawSample(name: string): Promise<File> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw.')
  draw(context)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('This browser cannot make a PNG.')
  return new File([blob], name, { type: 'image/png' })
}
