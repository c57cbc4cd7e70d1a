import { comment } from './comment.ts'

export const dialogcomment = comment('dialog', 'DialogComment')
