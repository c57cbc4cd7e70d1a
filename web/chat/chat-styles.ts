import { chatLook } from '#domain/chat-look.ts'
import { contrastRatio, MIN_CONTRAST, readableColor } from '#domain/color.ts'
import type { ChatLook } from '#schemas/chat-look.ts'
import card from './style/card.css?inline'
import foot from './style/foot.css?inline'
import form from './style/form.css?inline'
import frame from './style/frame.css?inline'
import message from './style/message.css?inline'

/** Least contrast of an icon on its ground (WCAG 2.2, 1.4.11). */
const MIN_ICON_CONTRAST = 3

const INK = '#1B1A17'
const PAPER = '#FFFFFF'
const LIGHT = { chat: '#F7F6F3', card: PAPER, user: INK, header: INK, primary: INK, line: '#E4E2DC', muted: '#5E5B54' }
const DARK = {
  chat: '#121211',
  card: '#242421',
  user: '#F0EFEA',
  header: '#242421',
  primary: '#F0EFEA',
  line: '#46443F',
  muted: '#B0ADA4',
}

/** Whether white can be read on it better than ink. */
const isDark = (ground: string): boolean => (contrastRatio(ground, PAPER) ?? 1) > (contrastRatio(ground, INK) ?? 21)

/** A text's colour: the given one where it can be read, else the nearest that can. */
const textOn = (ground: string, given?: string | null): string => {
  const wanted = given || (isDark(ground) ? PAPER : INK)
  return readableColor(wanted, ground, MIN_CONTRAST) ?? INK
}
const iconOn = (ground: string, given: string | null): string => given ?? textOn(ground)

/**
 * CSS custom properties of the chat. Colors the bot does not set follow the browser's light or dark mode; set colors
 * stay, with readable text on them.
 */
export const paletteOf = (look: ChatLook, isDarkPage: boolean): Readonly<Record<string, string>> => {
  const { ground, colors, header, bubble, welcome } = look
  const base = isDarkPage ? DARK : LIGHT
  const chat = ground.chat ?? (colors.background || base.chat)
  // Cards and fields stand on the customer's background: they follow it, not the browser.
  const inner = ground.chat === null && !colors.background ? base : isDark(chat) ? DARK : LIGHT
  const headerGround = header.background ?? (colors.header_background || base.header)
  const bot = ground.bot ?? (colors.bot_message || inner.card)
  const user = ground.user ?? (colors.user_message || colors.primary || inner.user)
  // Without a theme the colour that the customer gave the header is that of buttons and links too.
  const primary = colors.primary || header.background || ground.user || inner.primary
  const send = ground.send ?? primary
  const bubbleGround = bubble.background ?? (colors.primary || headerGround)
  const hello = welcome.background ?? headerGround
  return {
    chat,
    'chat-text': textOn(chat, colors.text),
    muted: readableColor(inner.muted, chat) ?? inner.muted,
    header: headerGround,
    'header-text': textOn(headerGround, colors.header_text),
    'menu-button': iconOn(headerGround, header.menuButton),
    'close-button': iconOn(headerGround, header.closeButton),
    welcome: hello,
    'welcome-text': textOn(hello, colors.header_text),
    bot,
    'bot-text': textOn(bot, colors.bot_text),
    user,
    'user-text': textOn(user, colors.user_text),
    card: inner.card,
    'card-text': textOn(inner.card),
    'card-muted': readableColor(inner.muted, inner.card) ?? inner.muted,
    line: inner.line,
    edge: readableColor(inner.muted, inner.card, MIN_ICON_CONTRAST) ?? inner.muted,
    scheme: isDark(inner.card) ? 'dark' : 'light',
    primary: readableColor(primary, inner.card) ?? primary,
    'on-primary': textOn(readableColor(primary, inner.card) ?? primary),
    fill: ground.send ?? readableColor(primary, inner.card) ?? primary,
    'on-fill': textOn(ground.send ?? readableColor(primary, inner.card) ?? primary),
    'chip-text': readableColor(primary, inner.card) ?? primary,
    send,
    'send-icon': textOn(send),
    bubble: bubbleGround,
    'bubble-icon': iconOn(bubbleGround, bubble.iconColor),
    'bubble-open-icon': iconOn(bubbleGround, bubble.openIconColor),
  }
}

/** A colour that stands on another one, each by its field of chatinterface; the ground may be the bot's theme's. */
interface ColorPair {
  readonly field: string
  readonly under: string
  readonly ratio: number
  readonly min: number
  /** A colour that can be seen; undefined where this one can. */
  readonly proposal: string | undefined
}

/** Every pair of colours that the fields give, with its contrast: icons as they were chosen, texts as the chat writes them. */
export const colorPairs = (look: ChatLook, isDarkPage = false): readonly ColorPair[] => {
  const palette = paletteOf(look, isDarkPage)
  const { header, bubble, ground, welcome } = look
  const pairs = [
    ['menu_button_color', header.menuButton, 'chat_header_background', 'header', MIN_ICON_CONTRAST],
    ['close_button_color', header.closeButton, 'chat_header_background', 'header', MIN_ICON_CONTRAST],
    ['bubble_first_icon_color', bubble.iconColor, 'bubble_background', 'bubble', MIN_ICON_CONTRAST],
    ['bubble_second_icon_color', bubble.openIconColor, 'bubble_background', 'bubble', MIN_ICON_CONTRAST],
    ['text', header.background && palette['header-text'], 'chat_header_background', 'header', MIN_CONTRAST],
    ['text', welcome.background && palette['welcome-text'], 'welcome_chat_header_background', 'welcome', MIN_CONTRAST],
    ['text', ground.bot && palette['bot-text'], 'botmessage_background', 'bot', MIN_CONTRAST],
    ['text', ground.user && palette['user-text'], 'usermessage_background', 'user', MIN_CONTRAST],
    ['text', ground.chat && palette['chat-text'], 'chat_background', 'chat', MIN_CONTRAST],
    ['icon', ground.send && palette['send-icon'], 'sendmessage_background', 'send', MIN_ICON_CONTRAST],
  ] as const
  return pairs.flatMap(([field, color, under, name, min]) => {
    const on = palette[name] ?? ''
    const ratio = color ? contrastRatio(color, on) : undefined
    if (!color || ratio === undefined) return []
    return [{ field, under, ratio, min, proposal: ratio < min ? readableColor(color, on, min) : undefined }]
  })
}

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
