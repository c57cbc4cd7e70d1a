import type { Template } from '../template/template.ts'

/** The message of a template as a person reads it. */
interface TemplateMessage {
  /** Header, body, bodies of cards and footer; variables without a value keep their braces. */
  readonly text: string
  /** Labels of buttons. */
  readonly buttons: readonly string[]
}

const VARIABLE = /\{\{\s*([\w.]+)\s*\}\}/gu

/** `values`: as {@link messageBody} takes them. */
export const templateMessage = (
  { header, body, footer, buttons, cards }: Template,
  values: ReadonlyMap<string, string>,
): TemplateMessage => {
  const filled = (text: string, nameOf: (name: string) => string = name => name) =>
    text.replace(VARIABLE, (written, name: string) => values.get(nameOf(name)) ?? written)
  const headline = header?.format === 'TEXT' ? filled(header.text, () => 'header') : ''
  const ofCards = cards.map(({ body: text }, at) =>
    text === null ? '' : filled(text.text, name => `card.${at + 1}.body.${name}`),
  )
  const parts = [headline, body === null ? '' : filled(body.text), ...ofCards, footer ?? '']
  return {
    text: parts.filter(part => part.trim() !== '').join('\n\n'),
    buttons: [...buttons, ...cards.flatMap(card => card.buttons)].flatMap(button =>
      'text' in button && typeof button.text === 'string' ? [button.text] : [],
    ),
  }
}
