import { chatLook } from '#domain/chat-look.ts'
import type { ChatLook } from '#schemas/chat-look.ts'
import { paletteOf } from './palette.ts'
import card from './style/card.css?inline'
import foot from './style/foot.css?inline'
import form from './style/form.css?inline'
import frame from './style/frame.css?inline'
import message from './style/message.css?inline'

/** Order matters: later sheets win. */
const STYLE = [frame, message, card, form, foot].join('\n')

export const sheetOf = (css: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

/** Style sheets are adopted, not written into the page: a strict Content-Security-Policy of the site lets them be. */
export const applyChatStyles = (
  root: ShadowRoot,
  box: HTMLElement,
  look: ChatLook,
  { isDark, unit = 'dvh' }: { readonly isDark: boolean; readonly unit?: 'dvh' | 'cqh' },
): void => {
  const css = look.css === '' ? [] : [sheetOf(look.css)]
  const [own = sheetOf(STYLE)] = root.adoptedStyleSheets
  root.adoptedStyleSheets = [own, ...css]
  const { size, avatar } = look
  const lengths = {
    width: size.width,
    // Height relative to the window, minus the space below the chat.
    height: size.height.replaceAll('%', unit),
    padding: size.padding || '10px 14px',
    avatar: `${avatar.size}px`,
  }
  for (const [name, value] of Object.entries({ ...paletteOf(look, isDark), ...lengths }))
    box.style.setProperty(`--${name}`, value)
  box.classList.toggle('by-role', avatar.byRole)
}

/** Before the bot's own look has come, or where it does not come. */
export const defaultLook = (): ChatLook =>
  chatLook({ bot: {}, look: undefined, themes: [], conversation: undefined, fileAddress: () => '' })
