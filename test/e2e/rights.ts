const verbs = (entity: string): string[] => ['read', 'create', 'update', 'delete'].map(verb => verb + entity)

/** Permissions of a bot builder, and no more. */
export const BUILDER: readonly string[] = [
  ...['bot', 'dialogtask', 'dialog', 'handler', 'version', 'variable', 'codesample'].flatMap(verbs),
  ...['publishdialog', 'unpublishdialog', 'publishalldialogtask', 'applyversion', 'showbot', 'showcodesample'],
]
