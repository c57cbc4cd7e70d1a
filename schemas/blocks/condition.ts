import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

/** The specification's operators for every data type, with the names that flow files use. */
export const COMPARISONS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'matches',
  'exists',
  'notExists',
  'in',
  'notIn',
  'isBlank',
  'isNotBlank',
  'isNull',
  'isNotNull',
  'isTrue',
  'isFalse',
  'greater',
  'greaterOrEqual',
  'less',
  'lessOrEqual',
  'tagExists',
  'tagNotExists',
  'isToday',
  'isYesterday',
  'isThisWeek',
  'isLastWeek',
  'isNextWeek',
  'isThisMonth',
  'isLastMonth',
  'isNextMonth',
  'isThisYear',
  'isLastYear',
  'isNextYear',
] as const

/** A branch holds where all its rules hold, and leaves by the output that has its id. */
export const condition = defineBlock({
  type: 'condition',
  category: 'flow',
  icon: 'Split',
  outputs: ['output_default'],
  itemOutputs: 'conditions',
  fields: {
    conditions: f.list(
      {
        label: f.string(),
        rules: f.list({
          source: f.enumeration(['input', 'context', 'variable', 'channel', 'tag', 'expression'], { open: true }),
          variable: f.reference('variable'),
          comparison: f.enumeration(COMPARISONS, { open: true }),
          values: f.strings(),
          dateUnit: f.enumeration(['year', 'month', 'day', 'week', 'isoWeek', 'hour', 'minute', 'second'], {
            initial: '',
          }),
        }),
      },
      { bare: 'rules' },
    ),
  },
})
