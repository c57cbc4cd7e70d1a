import { type BlockRule, defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { COMPARISONS, DATE_UNITS, isUnaryComparison, OPERAND_TYPES } from './comparison.ts'

const match = f.enumeration(['and', 'or'])

const rules = f.list({
  source: f.enumeration(['input', 'context', 'variable', 'channel', 'tag', 'expression'], { open: true }),
  variable: f.reference('variable', { reads: { source: ['variable'] } }),
  expression: f.expression(),
  datatype: f.enumeration(OPERAND_TYPES, { initial: '' }),
  comparison: f.enumeration(COMPARISONS, { open: true }),
  values: f.strings({ expressions: true }),
  valueVariable: f.reference('variable', { reads: {} }),
  dateUnit: f.enumeration(DATE_UNITS, { initial: '' }),
})

/** A comparison has a left side and, where it needs one, a right side. */
const complete = (list: string): readonly BlockRule[] => [
  { field: `${list}.variable`, check: 'required', severity: 'warning', when: { [`${list}.source`]: ['variable'] } },
  { field: `${list}.expression`, check: 'required', severity: 'warning', when: { [`${list}.source`]: ['expression'] } },
  {
    field: `${list}.values`,
    check: 'atLeastOne',
    severity: 'warning',
    when: {
      [`${list}.comparison`]: COMPARISONS.filter(each => !isUnaryComparison(each)),
      [`${list}.valueVariable`]: [''],
    },
  },
]

/** A branch holds where its rules and groups hold, all or any of them, and leaves by the output that has its id. */
export const condition = defineBlock({
  type: 'condition',
  category: 'flow',
  icon: 'Split',
  outputs: ['output_default'],
  itemOutputs: 'conditions',
  panel: 'branches',
  fields: {
    conditions: f.list(
      {
        label: f.string(),
        match,
        rules,
        groups: f.list({ match, rules }),
      },
      { bare: 'rules' },
    ),
  },
  rules: [...complete('conditions.rules'), ...complete('conditions.groups.rules')],
})
