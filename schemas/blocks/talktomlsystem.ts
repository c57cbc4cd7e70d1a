import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const talktomlsystem = defineBlock({
  type: 'talktomlsystem',
  category: 'integration',
  icon: 'BrainCircuit',
  summary: '{mlSystem} · {input}',
  fields: {
    mlSystem: f.enumeration(['dialogflow', 'langflow', 'rasa', 'watson'], { initial: '' }),
    input: f.expression(),
    resultVariable: f.reference('variable', { tab: 'answer' }),
  },
  rules: [{ field: 'mlSystem', check: 'required', severity: 'warning' }],
})
