import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const assignuserdata = defineBlock({
  type: 'assignuserdata',
  category: 'datamanagement',
  icon: 'UserPen',
  summary: '{name} · {email} · {cpf} · {telephone}',
  fields: {
    name: f.expression(),
    email: f.expression(),
    cpf: f.expression({ half: true }),
    telephone: f.expression({ half: true }),
    gender: f.expression({ half: true }),
    dob: f.expression({ half: true }),
    city: f.expression({ half: true }),
    carteirinha: f.expression({ half: true }),
    plantype: f.expression({ half: true }),
    vip: f.expression({ half: true }),
    contract: f.expression({ half: true }),
    extras: f.list({ name: f.string(), value: f.expression() }, { record: { key: 'name', value: 'value' } }),
  },
  rules: [
    { field: 'email', check: 'email', severity: 'warning' },
    { field: 'cpf', check: 'cpf', severity: 'warning' },
    { field: 'telephone', check: 'telephone', severity: 'warning' },
    { field: 'dob', check: 'date', severity: 'warning' },
    { field: 'extras.name', check: 'required', severity: 'warning' },
  ],
})
