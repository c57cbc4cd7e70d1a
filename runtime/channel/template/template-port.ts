import type { SendOutcome } from '#domain/campaign/delivery.ts'
import type { Template } from '#domain/template/template.ts'
import type { TemplateMessage } from '#domain/template/template-message.ts'
import type { Result } from '#schemas/refusal.ts'
import type { ListedTemplate, Submitted } from '../channel-port.ts'

/** Result of a send. `isHeld`: the provider checks the message before it passes it on. */
export type SendResult = { readonly kind: 'accepted'; readonly id: string; readonly isHeld: boolean } | SendOutcome

/** Sends the templates that are registered at one account or channel. */
export interface TemplateSender {
  /** Channel type; `whatsapp_meta` for accounts. */
  readonly provider: string
  /** A receipt settles a send whose answer was lost. */
  readonly settles: boolean
  /** `to`: E.164 with its plus. `key` returns with receipts where the provider supports it. Never throws for answers. */
  send(message: TemplateMessage, to: string, key: string): Promise<SendResult>
  /** Absent: the provider has no list. */
  list?(): Promise<Result<readonly ListedTemplate[]>>
  /** Absent: the provider takes no templates from outside. */
  submit?(template: Template): Promise<Result<Submitted>>
}
