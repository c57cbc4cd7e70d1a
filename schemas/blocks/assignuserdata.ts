import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const assignuserdata = defineBlock({
  type: 'assignuserdata',
  category: 'datamanagement',
  icon: 'UserPen',
  fields: {
    name: f.expression(),
    email: f.expression(),
    cpf: f.expression(),
    telephone: f.expression(),
    gender: f.expression(),
    dob: f.expression(),
    city: f.expression(),
    carteirinha: f.expression(),
    plantype: f.expression(),
    vip: f.expression(),
    contract: f.expression(),
    extras: f.list({ name: f.string(), value: f.expression() }, { record: { key: 'name', value: 'value' } }),
  },
})
