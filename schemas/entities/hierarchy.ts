import { defineEntity } from '../entity.ts'
import { reference, string, url } from '../field/field.ts'

/** A level of the tree that contains everything. It is its own `hierarchylevel`, so that users of the level see it. */
export const hierarchy = defineEntity({
  name: 'hierarchy',
  type: 'Hierarchy',
  parent: 'level',
  icon: 'Network',
  fields: {
    name: string({ required: true }),
    /** Null for the root alone; when it is not given, the level the session works in. */
    parent: reference('hierarchy'),
    usergroup: reference('usergroup'),
    /** Receives the alerts of the level and of the levels below that have no address. Needs `alert_secret`. */
    alert_url: url(),
    /** Key of the signature of alerts. */
    alert_secret: string({ secret: true, max: 200, pattern: /^\S{16,200}$/, rule: 'alertsecret' }),
  },
  unique: [{ field: 'name', within: 'everywhere' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'parent', as: 'reference' },
      { field: 'usergroup', as: 'reference' },
    ],
    search: ['name'],
  },
  form: [
    { id: 'general', fields: ['name', 'parent', 'usergroup'] },
    { id: 'alerts', fields: ['alert_url', 'alert_secret'] },
  ],
  actions: {
    /** With everything in it to another parent; offered by the tree. A change of `parent` needs its permission too. */
    move: { icon: 'FolderInput', on: [], input: { parent: reference('hierarchy', { required: true }) } },
  },
  confirm: true,
  place: { hub: { page: 'admin', order: 40 }, list: '/hierarchy' },
  page: 'own',
})
