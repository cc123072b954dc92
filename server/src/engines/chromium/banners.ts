/**
 * Hides what asks for consent to cookies. Runs inside a page, so it may use nothing from outside itself. First what common
 * makers of such banners call them, then what lies over the page and speaks of cookies.
 */
import type { World } from './world.ts'

declare const document: World
declare const window: World

export function hideBanners(): number {
  const KNOWN = [
    '#onetrust-banner-sdk, #onetrust-consent-sdk, .onetrust-pc-dark-filter',
    '#CybotCookiebotDialog, #CybotCookiebotDialogBodyUnderlay, #cookiebanner',
    '#usercentrics-root, #usercentrics-cmp-ui, #uc-banner-modal',
    '#didomi-host, .didomi-popup-backdrop, #didomi-popup',
    '.qc-cmp2-container, #qc-cmp2-main, #qcCmpUi',
    '#truste-consent-track, .truste_box_overlay, .truste_overlay, #trustarc-banner-overlay',
    '#sp_message_container, [id^="sp_message_container_"], .sp_veil',
    '.fc-consent-root, #fc-dialog-container, .fc-dialog-overlay',
    '#iubenda-cs-banner, #axeptio_overlay, #tarteaucitronRoot, #tarteaucitronAlertBig',
    '#cookie-law-info-bar, .cli-modal-backdrop, .cky-consent-container, .cky-overlay, #cky-consent',
    '.cc-window, .cc-banner, .cc-revoke, #cookieconsent, #cc-main, #cc--main',
    '#BorlabsCookieBox, #BorlabsCookieBoxWrap, .cmplz-cookiebanner, #cmplz-cookiebanner-container',
    '#klaro .cookie-notice, .klaro .cookie-modal, #hs-eu-cookie-confirmation, #hs-banner-parent',
    '#cmpbox, #cmpbox2, .cmpboxBG, #cmpwrapper, #ccc, #ccc-overlay, #moove_gdpr_cookie_info_bar',
    '#termly-code-snippet-support, .osano-cm-window, #ez-cookie-dialog-wrapper, #gdpr-cookie-message',
    '#cookie-notice, #cookie-banner, #cookie-consent, #cookie-bar, #cookies-banner, #cookieNotice, #cookieBanner',
    '.cookie-notice, .cookie-banner, .cookie-consent, .cookie-bar, .cookies-banner, .js-cookie-consent',
    '[aria-label*="cookie" i][role="dialog"], [aria-label*="consent" i][role="dialog"], [aria-label*="cookie" i][role="alertdialog"]',
  ].join(', ')
  const SPEAKS = /cookie|consent|gdpr|privacy (?:settings|choices)|datenschutz|einwilligung|traceurs|galletas/i
  const NAMED = /cookie|consent|gdpr|cmp[-_]|ccpa|privacy[-_]?(?:banner|notice|popup)/i

  let hidden = 0
  const hide = (element: World): void => {
    if (!element.style || element === document.body) return
    element.style.setProperty('display', 'none', 'important')
    hidden += 1
  }
  const name = (element: World): string => `${element.id} ${element.getAttribute('class') ?? ''}`
  const roots: World[] = [document]
  for (const element of document.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot)

  for (const root of roots) {
    for (const element of root.querySelectorAll(KNOWN)) hide(element)
    for (const element of root.querySelectorAll('body *')) {
      const { position, display, zIndex } = window.getComputedStyle(element)
      if (display === 'none' || !['fixed', 'sticky', 'absolute'].includes(position)) continue
      // What scrolls with the page is a part of it, unless it lies over everything.
      if (position === 'absolute' && !(Number(zIndex) >= 1000)) continue
      const text = (element.textContent ?? '').slice(0, 4000)
      const long = (element.textContent ?? '').length > 6000
      if (
        NAMED.test(name(element))
          ? SPEAKS.test(text) || text.trim() === ''
          : !long && SPEAKS.test(text) && asks(element)
      )
        hide(element)
    }
  }
  /** A banner wants an answer: it has something to press. A mere bar with a link to a policy has none. */
  function asks(element: World): boolean {
    return element.querySelector('button, [role="button"], input[type="button"], input[type="submit"]') !== null
  }

  if (hidden > 0) {
    // Veils that lay under the banner, and the lock on scrolling.
    for (const element of document.querySelectorAll('body > *')) {
      const { position, display } = window.getComputedStyle(element)
      const { width, height } = element.getBoundingClientRect()
      const covers = width >= window.innerWidth * 0.95 && height >= window.innerHeight * 0.95
      if (position === 'fixed' && display !== 'none' && covers && (element.textContent ?? '').trim() === '')
        hide(element)
    }
    for (const element of [document.documentElement, document.body])
      if (element && window.getComputedStyle(element).overflowY === 'hidden')
        element.style.setProperty('overflow', 'visible', 'important')
  }
  return hidden
}
