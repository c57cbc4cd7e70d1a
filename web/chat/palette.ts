import { contrastRatio, MIN_CONTRAST, readableColor } from '#domain/color.ts'
import type { ChatLook } from '#schemas/chat-look.ts'

/** Least contrast of an icon on its ground (WCAG 2.2, 1.4.11). */
export const MIN_ICON_CONTRAST = 3

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
 * Custom properties of the chat. What the bot was not given follows the browser's light or dark; what it was given
 * stays, and the texts on it are made readable.
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
  const primary = colors.primary || inner.primary
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
    primary: readableColor(primary, inner.card) ?? primary,
    'on-primary': textOn(readableColor(primary, inner.card) ?? primary),
    'chip-text': readableColor(primary, inner.card) ?? primary,
    send,
    'send-icon': textOn(send),
    bubble: bubbleGround,
    'bubble-icon': iconOn(bubbleGround, bubble.iconColor),
    'bubble-open-icon': iconOn(bubbleGround, bubble.openIconColor),
  }
}

/** Pairs of colours that people chose and that cannot be told apart, by the fields of chatinterface. */
export const iconFaults = (look: ChatLook) => {
  const palette = paletteOf(look, false)
  const pairs = [
    ['menu_button_color', look.header.menuButton, 'chat_header_background', palette.header],
    ['close_button_color', look.header.closeButton, 'chat_header_background', palette.header],
    ['bubble_first_icon_color', look.bubble.iconColor, 'bubble_background', palette.bubble],
    ['bubble_second_icon_color', look.bubble.openIconColor, 'bubble_background', palette.bubble],
  ] as const
  return pairs.flatMap(([field, color, under, ground = '']) => {
    const ratio = color === null ? undefined : contrastRatio(color, ground)
    if (color === null || ratio === undefined || ratio >= MIN_ICON_CONTRAST) return []
    return [{ field, under, ratio, proposal: readableColor(color, ground, MIN_ICON_CONTRAST) }]
  })
}
