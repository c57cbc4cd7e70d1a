import { comment } from './comment.ts'

export const handlercomment = comment('handler', 'HandlerComment')
