import type { ChatLook, ChatMenuEntry } from '#schemas/chat-look.ts'
import type { Json } from '#schemas/event.ts'
import { isObject, textOf } from '#schemas/json.ts'

/** Values of an entity by field, stored or in a form. */
type Fields = Readonly<Record<string, Json>>
const orNull = (value: Json | undefined): string | null => textOf(value) || null
const isOn = (value: Json | undefined): boolean => value === true
/** On where the chat interface was never saved, as its declaration says. */
const isOnAtFirst = (value: Json | undefined): boolean => value !== false
const count = (value: Json | undefined, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** Pixels of an avatar where none are given, and messages that a reload brings back. */
const AVATAR_PX = 26
const HISTORY = 20
const DROPDOWN_FROM = 8

/** The id of an uploaded picture. */
const fileOf = (value: Json | undefined): string | undefined =>
  isObject(value) && typeof value.id === 'string' ? value.id : undefined

/** Fields of `chatinterface` that hold pictures. */
const PICTURES = [
  'welcome_banner_image',
  'welcome_emoji_image',
  'chat_logo',
  'bubble_first_icon',
  'bubble_second_icon',
  'botavtar',
  'useravtar',
  'agentavtar',
] as const

/** Uploaded pictures of a chat interface: the only files that a web chat may ask for. */
export const chatPictures = (look: Fields | undefined): readonly string[] =>
  PICTURES.flatMap(name => fileOf(look?.[name]) ?? [])

const colorsOf = (theme: Fields | undefined): Readonly<Record<string, string>> => {
  const { colors } = theme ?? {}
  if (!isObject(colors)) return {}
  return Object.fromEntries(Object.entries(colors).map(([name, color]) => [name, textOf(color)]))
}

interface ChatLookRows {
  readonly bot: Fields
  /** `chatinterface` of the bot, at its defaults where nobody changed it. */
  readonly look: Fields | undefined
  /** Themes of the bot: its default one counts. */
  readonly themes: readonly Fields[]
  /** User tips of the bot; the enabled ones count. */
  readonly tips?: readonly Fields[]
  readonly conversation: Fields | undefined
  /** Address of an uploaded picture, on the origin that the widget talks to. */
  fileAddress(id: string): string
}

const MAX_TIPS = 10

/** Lower numbers first; a tip without one is after those that have one. */
const shownTips = (tips: readonly Fields[]): ChatLook['tips'] =>
  tips
    .filter(({ enabled }) => enabled !== false)
    .toSorted((one, other) => count(one.order, Infinity) - count(other.order, Infinity) || 0)
    .slice(0, MAX_TIPS)
    .map(({ locale, message }) => ({ language: textOf(locale), text: textOf(message) }))

type LookGroup<K extends keyof ChatLook> = Pick<ChatLook, K>
type Picture = (name: (typeof PICTURES)[number]) => string | null

const faceOf = (look: Fields, picture: Picture): LookGroup<'welcome' | 'header' | 'bubble'> => ({
  welcome: {
    banner: picture('welcome_banner_image'),
    emoji: picture('welcome_emoji_image'),
    message: textOf(look.welcome_start_message),
    background: orNull(look.welcome_chat_header_background),
  },
  header: {
    logo: picture('chat_logo'),
    logoTitle: textOf(look.chat_logo_title),
    title: textOf(look.chat_title),
    subtitle: textOf(look.chat_sub_title),
    background: orNull(look.chat_header_background),
    menuButton: orNull(look.menu_button_color),
    closeButton: orNull(look.close_button_color),
  },
  bubble: {
    background: orNull(look.bubble_background),
    icon: picture('bubble_first_icon'),
    iconColor: orNull(look.bubble_first_icon_color),
    openIcon: picture('bubble_second_icon'),
    openIconColor: orNull(look.bubble_second_icon_color),
  },
})

const bodyOf = (look: Fields, picture: Picture): LookGroup<'avatar' | 'size' | 'ground' | 'own'> => ({
  avatar: {
    bot: picture('botavtar'),
    user: picture('useravtar'),
    agent: picture('agentavtar'),
    nickname: textOf(look.bot_nickname),
    showBot: isOn(look.show_botname_on_avtar),
    showUser: isOn(look.show_username_on_avtar),
    showAgent: isOn(look.show_agentname_on_avtar),
    size: count(look.avtar_size, AVATAR_PX),
    byRole: isOn(look.decorate_activity_based_on_role),
  },
  size: {
    width: textOf(look.chat_width) || '372px',
    height: textOf(look.chat_height) || 'calc(100% - 80px)',
    padding: textOf(look.message_padding),
  },
  ground: {
    bot: orNull(look.botmessage_background),
    user: orNull(look.usermessage_background),
    chat: orNull(look.chat_background),
    send: orNull(look.sendmessage_background),
  },
  own: {
    hero: isOn(look.overrideHeroCard),
    audio: isOn(look.overrideAudioCard),
    video: isOn(look.overrideVideoCard),
    carousel: isOnAtFirst(look.overrideCarousal),
  },
})

/** Widget data of a bot: every field of its chat interface, and its default theme. */
export const chatLook = ({ bot, look = {}, themes, tips = [], conversation, fileAddress }: ChatLookRows): ChatLook => {
  const theme = themes.find(one => one.default === true)
  const picture: Picture = name => {
    const file = fileOf(look[name])
    return file === undefined ? orNull(look[name]) : fileAddress(file)
  }
  const face = faceOf(look, picture)
  return {
    ...face,
    header: { ...face.header, title: face.header.title || textOf(bot.name) },
    ...bodyOf(look, picture),
    tips: shownTips(tips),
    offline: textOf(look.chat_offline_message),
    colors: colorsOf(theme),
    css: textOf(theme?.css),
    answer: {
      dropdownFrom: isOn(look.use_dropdown) ? count(look.minimum_options_to_enable_dropdown, DROPDOWN_FROM) : null,
      calendar: isOnAtFirst(look.useCalendar),
      disabledTooltip: textOf(look.sendbox_disabled_tooltip),
      closedByButtons: isOn(bot.disable_userinput_chatwindow_on_buttondisplay),
      staleButtons: isOn(bot.disable_buttons_from_previous_messages),
    },
    agentAlert: { enabled: isOn(look.alert_on_agent_connected), sound: orNull(look.alert_on_agent_connected_url) },
    error: {
      title: textOf(look.chat_error_title),
      message: textOf(look.chat_error_message),
      link: orNull(look.chat_error_alternative_link),
    },
    remember: conversation?.remember_user_on_reload !== false,
    history: count(conversation?.history_length, HISTORY),
  }
}

/** Menu of the chat: entries that the bot allows, then the tasks shown in it. */
export const chatMenu = (bot: Fields, tasks: readonly Fields[]): readonly ChatMenuEntry[] => [
  ...(isOn(bot.restartconversationinmenu) ? [{ id: 'restart' }] : []),
  ...(isOn(bot.connecttoagentinmenu) && isOn(bot.agentenabled) ? [{ id: 'agent' }] : []),
  ...tasks.flatMap(task => (isOn(task.showinmenu) ? [{ id: textOf(task.id), title: textOf(task.name) }] : [])),
]
