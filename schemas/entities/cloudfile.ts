import { defineEntity } from '../entity.ts'
import { file, string, text } from '../field/field.ts'
import { FILE_TYPES, MAX_UPLOAD_BYTES } from '../field/file-type.ts'

/** A file at a public address, for bots, cards and templates to link to. */
export const cloudfile = defineEntity({
  name: 'cloudfile',
  type: 'CloudFile',
  parent: 'level',
  icon: 'CloudUpload',
  fields: {
    /** As the address has it: cleaned by the server, the uploaded file's own where none is given. */
    name: string({ max: 150, fixed: true }),
    description: text({ max: 2000 }),
    /** UPLOAD_MB bounds it. */
    file: file(FILE_TYPES, { required: true, fixed: true, maxBytes: MAX_UPLOAD_BYTES }),
    /** `<level>/<name>`, percent-encoded. */
    address: string({ readonly: true, max: 1000, addressPath: '/botadmin/files/' }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [{ field: 'name', as: 'name' }, { field: 'address', as: 'address' }, { field: 'description' }],
    facts: [{ field: 'file', as: 'file' }],
    search: ['name', 'description'],
  },
  form: [{ id: 'general', fields: ['name', 'description', 'file', 'address'] }],
  place: { hub: { page: 'appsettings', order: 55 }, list: '/tools/uploadfiletocloud' },
  page: 'own',
})
