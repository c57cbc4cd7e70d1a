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
    case 'hierarchy':
      return '/hierarchy'
    case 'bot':
    case 'dialogtask':
    case 'variable':
    case 'variableschema':
    case 'globalvariable':
    case 'localemessage':
    case 'codesample':
    case 'releasenote':
    case 'user':
    case 'usergroup':
    case 'role':
      return `/${entity}/${id}${query}`
    default:
      return undefined
  }
}
