/**
 * Content of a web chat before and around the messages. Missing texts are '' and missing pictures
 * null.
 */
export interface ChatLook {
  readonly welcome: {
    readonly banner: string | null
    readonly emoji: string | null
    readonly message: string
    readonly background: string | null
  }
  readonly header: {
    readonly logo: string | null
    readonly logoTitle: string
    readonly title: string
    readonly subtitle: string
    readonly background: string | null
    readonly menuButton: string | null
    readonly closeButton: string | null
  }
  /** Below the welcome, in their order; a chat shows those in its language. */
  readonly tips: readonly { readonly language: string; readonly text: string }[]
  /** Said while the bot does not talk. */
  readonly offline: string
  readonly bubble: {
    readonly background: string | null
    readonly icon: string | null
    readonly iconColor: string | null
    readonly openIcon: string | null
    readonly openIconColor: string | null
  }
  readonly avatar: {
    readonly bot: string | null
    readonly user: string | null
    readonly agent: string | null
    readonly nickname: string
    readonly showBot: boolean
    readonly showUser: boolean
    readonly showAgent: boolean
    /** px. */
    readonly size: number
    /** Bot and agent are drawn in different ways. */
    readonly byRole: boolean
  }
  /** Lengths of CSS. */
  readonly size: { readonly width: string; readonly height: string; readonly padding: string }
  /** Backgrounds of chatinterface; null leaves the theme's colour. */
  readonly ground: {
    readonly bot: string | null
    readonly user: string | null
    readonly chat: string | null
    readonly send: string | null
  }
  /** The bot's default theme: its colours by name, '' where it has none, and its style sheet of limited CSS. */
  readonly colors: Readonly<Record<string, string>>
  readonly css: string
  readonly answer: {
    /** Least number of options that become a dropdown; null for never. */
    readonly dropdownFrom: number | null
    readonly calendar: boolean
    readonly disabledTooltip: string
    /** Nothing can be typed while buttons wait to be pressed. */
    readonly closedByButtons: boolean
    /** Buttons of older messages cannot be pressed any more. */
    readonly staleButtons: boolean
  }
  readonly own: {
    readonly hero: boolean
    readonly audio: boolean
    readonly video: boolean
    readonly carousel: boolean
  }
  readonly agentAlert: { readonly enabled: boolean; readonly sound: string | null }
  readonly error: { readonly title: string; readonly message: string; readonly link: string | null }
  /** Whether a reload resumes the conversation, and how many messages it restores. */
  readonly remember: boolean
  readonly history: number
}

/** Entry of the menu of a web chat: `restart`, `agent` or a task's id. The widget has words for the first two. */
export interface ChatMenuEntry {
  readonly id: string
  readonly title?: string
}
