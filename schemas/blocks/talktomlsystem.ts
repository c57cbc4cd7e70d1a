import { defineBlock, ERROR_OUTPUT } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { ML_SYSTEM_NAMES, type MlSystemName } from '../ml-system.ts'

const SORTED = ML_SYSTEM_NAMES.toSorted() as [MlSystemName, ...MlSystemName[]]

export const talktomlsystem = defineBlock({
  type: 'talktomlsystem',
  category: 'integration',
  icon: 'BrainCircuit',
  summary: '{mlSystem} · {input}',
  choiceOutputs: [ERROR_OUTPUT],
  fields: {
    mlSystem: f.enumeration(SORTED, { initial: '' }),
    input: f.expression(),
    resultVariable: f.reference('variable', { tab: 'answer' }),
    errorVariable: f.reference('variable', { tab: 'answer' }),
  },
  rules: [{ field: 'mlSystem', check: 'required', severity: 'warning' }],
})
