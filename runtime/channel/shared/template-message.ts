/** File or text above the body of a template. */
export type TemplateHeader =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'video' | 'document'; readonly url: string; readonly name?: string }
  | {
      readonly kind: 'location'
      readonly latitude: number
      readonly longitude: number
      readonly name: string
      readonly address: string
    }

/** Value of a button with a variable; `index` counts all buttons of the template from 0. */
export interface TemplateButton {
  readonly index: number
  readonly kind: 'reply' | 'url' | 'code'
  readonly value: string
}

/** A value of the body; `name` if the template names its variables. */
export interface TemplateValue {
  readonly name?: string
  readonly text: string
}

/** An approved template with the values of one message. */
export interface TemplateMessage {
  /** The provider's id, for providers that identify templates by id: Gupshup, Twilio (HX…), Zenvia. */
  readonly id?: string
  readonly name: string
  /** In Meta's form: pt_BR. */
  readonly language: string
  readonly header?: TemplateHeader
  readonly body: readonly TemplateValue[]
  readonly buttons: readonly TemplateButton[]
  readonly cards?: readonly {
    readonly header: TemplateHeader
    readonly body: readonly TemplateValue[]
    readonly buttons: readonly TemplateButton[]
  }[]
}
