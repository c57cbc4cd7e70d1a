import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const sendmessage = defineBlock({
  type: 'sendmessage',
  category: 'interaction',
  icon: 'Send',
  words: 'text',
  fields: {
    text: f.rich({ required: true }),
    destination: f.expression(),
    /** Sent in place of the text where WhatsApp accepts only templates. */
    template: f.reference('template'),
    templateValues: f.list(
      { variable: f.string(), value: f.expression() },
      { record: { key: 'variable', value: 'value' }, max: 100 },
    ),
  },
  rules: [{ field: 'templateValues.variable', check: 'required', severity: 'warning' }],
})
