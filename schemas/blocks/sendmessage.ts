import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const sendmessage = defineBlock({
  type: 'sendmessage',
  category: 'interaction',
  icon: 'Send',
  words: 'text',
  fields: { text: f.rich({ required: true }), destination: f.expression() },
})
