/**
 * Scripts for a page that is to be kept. They run inside the page, so each may use nothing from outside itself.
 */

import type { World } from './world.ts'

declare const document: World
declare const window: World

/** Goes through the page from top to bottom, so that what waits to be seen is loaded. */
export const scrollThrough = async (): Promise<void> => {
  const pause = (): Promise<unknown> => new Promise((done) => setTimeout(done, 80))
  for (const one of document.querySelectorAll('[loading="lazy"]')) one.setAttribute('loading', 'eager')
  const until = Date.now() + 8000
  for (let screen = 1; screen <= 60 && Date.now() < until; screen++) {
    const before = window.scrollY
    window.scrollTo({ top: screen * window.innerHeight, behavior: 'instant' })
    await pause()
    if (window.scrollY === before) break
  }
  window.scrollTo({ top: 0, behavior: 'instant' })
  await pause()
}

/** Makes what is shown a part of the page: what only a script or another window size would bring is not in an archive. */
export const freeze = async (): Promise<void> => {
  for (const one of document.querySelectorAll('noscript, meta[http-equiv="refresh" i]')) one.remove()
  for (const image of document.images) {
    const shown = image.currentSrc
    if (image.closest('picture'))
      for (const other of image.closest('picture')?.querySelectorAll('source') ?? []) other.remove()
    const chosen = image.hasAttribute('srcset') || image.src !== shown
    for (const name of ['srcset', 'sizes']) image.removeAttribute(name)
    if (chosen && shown) image.src = shown
  }
  for (const canvas of document.querySelectorAll('canvas')) {
    try {
      const image = document.createElement('img')
      for (const { name, value } of canvas.attributes) image.setAttribute(name, value)
      image.src = canvas.toDataURL()
      const { width, height } = canvas.getBoundingClientRect()
      image.style.width = `${width}px`
      image.style.height = `${height}px`
      canvas.replaceWith(image)
    } catch {
      // Drawn with pictures of other sites: nobody may read it.
    }
  }
  const limit = new Promise((done) => setTimeout(done, 3000))
  await Promise.race([Promise.all([...document.images].map((image: World) => image.decode().catch(() => null))), limit])
}
