import { defineBlock, ERROR_OUTPUT } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const talktoanotherbot = defineBlock({
  type: 'talktoanotherbot',
  category: 'integration',
  icon: 'BotMessageSquare',
  choiceOutputs: [ERROR_OUTPUT],
  fields: { bot: f.reference('bot', { required: true }), input: f.expression() },
})
