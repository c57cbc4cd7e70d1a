import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const talktoanotherbot = defineBlock({
  type: 'talktoanotherbot',
  category: 'integration',
  icon: 'BotMessageSquare',
  fields: { bot: f.reference('bot', { required: true }), input: f.expression() },
})
