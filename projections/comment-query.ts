export interface CommentQuery {
  readonly resolved?: boolean
  readonly block?: string
  readonly page: number
  readonly size: number
}
