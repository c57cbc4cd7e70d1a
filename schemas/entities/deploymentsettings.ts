import { defineEntity } from '../entity.ts'
import { json, list, string, text, url } from '../field/field.ts'

/** Deployment targets of this installation's bots, and the compose file for them. */
export const deploymentsettings = defineEntity({
  name: 'deploymentsettings',
  type: 'DeploymentSettings',
  parent: 'none',
  cardinality: 'one',
  icon: 'Server',
  fields: {
    environments: list(
      { name: string({ required: true }), description: string({ max: 2000 }), url: url() },
      {
        initial: [
          { id: 'development', name: 'development', description: null, url: null },
          { id: 'preproduction', name: 'pre production', description: null, url: null },
          { id: 'production', name: 'production', description: null, url: null },
        ],
        maxItems: 50,
      },
    ),
    /** YAML of docker compose, version 3. */
    compose_file: text({ max: 500_000 }),
    /** {valid, errors: [{line, column, path, code}]} of the file as it is saved; null without a file. */
    compose_checked: json({ readonly: true }),
  },
  title: 'compose_file',
  list: { columns: [{ field: 'environments', as: 'text' }], search: [] },
  form: [
    { id: 'environments', fields: ['environments'] },
    { id: 'compose', fields: ['compose_file'], control: 'compose-file' },
  ],
  place: { hub: { page: 'appsettings', order: 40 } },
})
