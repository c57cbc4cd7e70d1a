import { isEntityName } from '#schemas/entities/registry.ts'

/** Where an entity's page is; undefined for what has none. */
export const addressOf = (entity: string, id: string, query = ''): string | undefined => {
  switch (entity) {
    case 'flow':
    case 'dialog':
      return `/designer/dialog/${id}${query}`
    case 'handler':
      return `/designer/handler/${id}${query}`
    case 'version':
      return `/version/${id}${query}`
    case 'dialogcomment':
    case 'handlercomment':
      return undefined
    case 'hierarchy':
      return '/hierarchy'
    default:
      return isEntityName(entity) ? `/${entity}/${id}${query}` : undefined
  }
}
