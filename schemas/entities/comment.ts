import { defineEntity, type EntityDeclaration } from '../entity.ts'
import { boolean, reference, references, string, text, time } from '../field/field.ts'

/**
 * Comments on a block of a flow. `dialog` or `handler`: the flow; the field with its own name is the first comment of
 * the thread that it answers in. In `text` a mention is `<@user id>` (domain/comment.ts). A first comment that is
 * removed while it has answers stays `withdrawn`, without its text.
 */
const comment = (flow: 'dialog' | 'handler', type: string): EntityDeclaration => {
  const name = `${flow}comment`
  return defineEntity({
    name,
    type,
    parent: flow,
    versioned: { not: 'a conversation goes on whatever becomes of the flow' },
    icon: 'MessageSquare',
    fields: {
      [flow]: reference(flow, { required: true, fixed: true }),
      block: string({ fixed: true }),
      [name]: reference(name, { fixed: true }),
      text: text({ required: true, max: 4000 }),
      author: reference('user', { readonly: true }),
      mentioned: references('user', { readonly: true }),
      edited_at: time({ readonly: true }),
      withdrawn: boolean({ readonly: true }),
      resolved: boolean({ readonly: true }),
      resolved_by: reference('user', { readonly: true }),
      resolved_at: time({ readonly: true }),
    },
    unique: [],
    title: 'text',
    list: {
      columns: [{ field: 'text', as: 'name' }, { field: flow, as: 'reference' }, { field: 'resolved' }],
      search: ['text'],
    },
    form: [
      { id: 'content', fields: ['text', 'block'] },
      { id: 'thread', fields: ['author', 'edited_at', 'withdrawn', 'resolved', 'resolved_by', 'resolved_at'] },
    ],
    actions: { resolve: { icon: 'Check', on: [] }, reopen: { icon: 'RotateCcw', on: [] } },
    confirm: false,
    rights: 'readers',
    place: { hidden: true },
  })
}

export const dialogcomment = comment('dialog', 'DialogComment')

export const handlercomment = comment('handler', 'HandlerComment')
