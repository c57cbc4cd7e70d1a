import { passes } from '#domain/flow/lint/check-value.ts'
import type { CheckName } from '#schemas/block.ts'
import { isObject, own, record, textAt } from '#schemas/json.ts'
import { blockText, evaluateTexts, shownText } from '../evaluate.ts'
import { itemsAt } from '../question.ts'
import { type BlockRuntime, leave, recordProblem } from '../turn.ts'

/** Required format of a field. */
const FORMS: Readonly<Record<string, CheckName>> = { email: 'email', cpf: 'cpf', telephone: 'telephone', dob: 'date' }

const FIELDS = [
  'name',
  'email',
  'cpf',
  'telephone',
  'gender',
  'dob',
  'city',
  'carteirinha',
  'plantype',
  'vip',
  'contract',
]

/** Every non-empty field becomes data of the person; an ill-formed one is kept, and recorded. */
export const assignuserdata: BlockRuntime = {
  *run(turn, { properties }) {
    const extras = itemsAt(properties, 'extras').filter(isObject)
    const named = [
      ...FIELDS.map(name => ({ name, text: blockText(name, properties[name]) })),
      ...extras.map((item, place) => ({
        name: textAt(item, 'name').trim(),
        text: blockText(`extras.${place}.value`, item.value),
      })),
    ].filter(({ name, text }) => name !== '' && text.text !== '')
    const values = yield* evaluateTexts(
      turn,
      named.map(({ text }) => text),
    )
    const made = named.flatMap(({ name }, place) => {
      const value = values[place]
      return value === undefined || value === null || value === '' ? [] : [[name, value] as const]
    })
    for (const [name, value] of made) {
      const form = own(FORMS, name)
      if (form !== undefined && !passes(form, shownText(value))) recordProblem(turn, 'userdata.form', name)
      turn.step?.wrote.add(name)
    }
    turn.state = { ...turn.state, userdata: { ...turn.state.userdata, ...record(made) } }
    return leave()
  },
}
