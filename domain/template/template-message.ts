/** A file of a header: at an address, in our storage, or uploaded to the provider before. */
type MediaSource =
  | { readonly from: 'link'; readonly url: string }
  | { readonly from: 'file'; readonly file: string }
  | { readonly from: 'upload'; readonly id: string }

/** `name`: of the value at the provider; empty where it has none. */
export interface MediaHeader {
  readonly kind: 'image' | 'video' | 'document'
  readonly name: string
  readonly source: MediaSource
  /** Shown name of a document; empty: none. */
  readonly filename: string
}

/** A place on a map. Its coordinates are decimal numbers with a point. */
interface PlaceHeader {
  readonly kind: 'location'
  readonly latitude: string
  readonly longitude: string
  readonly title: string
  readonly address: string
}

/** File, place or text above the body of a template. */
export type TemplateMessageHeader =
  | MediaHeader
  | PlaceHeader
  | { readonly kind: 'text'; readonly name: string; readonly text: string }

/** Value of a button; `index` counts all buttons of the template from 0. */
export interface TemplateMessageButton {
  readonly index: number
  readonly kind: 'reply' | 'url' | 'code'
  readonly name: string
  /** Empty for a reply that has no payload. */
  readonly value: string
  /** Label of a reply; empty for other kinds. */
  readonly label: string
}

/** A value of a body with its name at the provider. */
export interface TemplateMessageValue {
  readonly name: string
  readonly text: string
}

export interface TemplateMessageCard {
  readonly header: MediaHeader
  readonly body: readonly TemplateMessageValue[]
  readonly buttons: readonly TemplateMessageButton[]
}

/** A template with the values of one message, as each provider's renderer takes it. */
export interface TemplateMessage {
  /** The provider's id, for providers that name templates by id: Gupshup, Twilio (HX…), Zenvia. */
  readonly id: string
  readonly name: string
  /** In Meta's form: pt_BR. */
  readonly language: string
  /** Values carry the names of their variables. */
  readonly isNamed: boolean
  readonly header?: TemplateMessageHeader
  readonly body: readonly TemplateMessageValue[]
  readonly buttons: readonly TemplateMessageButton[]
  readonly cards: readonly TemplateMessageCard[]
}
