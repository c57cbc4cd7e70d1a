export interface Crumb {
  /** Translation key under `shell:crumb`, when it is not a name. */
  readonly key?: string
  readonly name?: string
  /** Absent on the last one. */
  readonly to?: string
}

/** What the trail runs through, as far as the page knows it. */
export interface Place {
  readonly bot?: { readonly id: string; readonly name: string }
  readonly dialogtask?: { readonly id: string; readonly name: string }
  /** Name of what is open: the last crumb. */
  readonly name?: string
}

interface Rule {
  /** Beginning of the path this rule serves. */
  readonly prefix: string
  readonly parent: string
  readonly crumb: (place: Place) => Crumb | undefined
}

const fixed = (prefix: string, parent: string, key: string): Rule => ({
  prefix,
  parent,
  crumb: () => ({ key, to: prefix }),
})

const BOT: Rule = {
  prefix: '/bot/',
  parent: '/bot/search',
  crumb: ({ bot }) => (bot ? { name: bot.name, to: `/bot/${bot.id}` } : undefined),
}

const inBot = (prefix: string, key: string): Rule => ({
  prefix,
  parent: '/bot/',
  crumb: ({ bot }) => ({ key, ...(bot ? { to: `${prefix}${prefix.includes('?') ? '' : bot.id}` } : {}) }),
})

const RULES: readonly Rule[] = [
  fixed('/bot/search', '/', 'bots'),
  BOT,
  inBot('/bot/dialogtask/', 'tasks'),
  {
    prefix: '/dialogtask/',
    parent: '/bot/dialogtask/',
    crumb: ({ dialogtask }) => (dialogtask ? { name: dialogtask.name, to: `/dialogtask/${dialogtask.id}` } : undefined),
  },
  { prefix: '/designer/', parent: '/dialogtask/', crumb: () => undefined },
  { prefix: '/dialog/', parent: '/dialogtask/', crumb: () => undefined },
  { prefix: '/handler/', parent: '/dialogtask/', crumb: () => undefined },
  inBot('/bot/settings/variable/', 'variable'),
  inBot('/bot/settings/variableschema/', 'variableschema'),
  inBot('/bot/settings/globalvariable/', 'globalvariable'),
  inBot('/bot/settings/localemessage/', 'localemessage'),
  {
    prefix: '/version/',
    parent: '/bot/',
    crumb: ({ bot }) => ({ key: 'versions', to: bot ? `/version/search?pid=${bot.id}` : '/version/search' }),
  },
  fixed('/localemessage/search', '/', 'localemessages'),
  { prefix: '/localemessage/', parent: '/localemessage/search', crumb: () => undefined },
  fixed('/codesample/search', '/', 'codesamples'),
  { prefix: '/codesample/', parent: '/codesample/search', crumb: () => undefined },
  fixed('/audit', '/', 'audit'),
  fixed('/admin', '/', 'admin'),
  fixed('/user/search', '/admin', 'users'),
  { prefix: '/user/', parent: '/user/search', crumb: () => undefined },
  fixed('/usergroup/search', '/admin', 'usergroups'),
  { prefix: '/usergroup/', parent: '/usergroup/search', crumb: () => undefined },
  fixed('/role/search', '/admin', 'roles'),
  { prefix: '/role/', parent: '/role/search', crumb: () => undefined },
  fixed('/hierarchy', '/admin', 'hierarchy'),
  { prefix: '/hierarchy/', parent: '/hierarchy', crumb: () => undefined },
  fixed('/appsettings/search', '/', 'appsettings'),
  fixed('/globalvariable/search', '/appsettings/search', 'globalvariable'),
  { prefix: '/globalvariable/', parent: '/globalvariable/search', crumb: () => undefined },
  fixed('/releasenote/search', '/appsettings/search', 'releasenotes'),
  { prefix: '/releasenote/', parent: '/releasenote/search', crumb: () => undefined },
  fixed('/password/passwordchange', '/', 'password'),
  fixed('/account/twofactor', '/', 'twofactor'),
]

const HOME: Crumb = { key: 'home', to: '/' }

const ruleOf = (path: string): Rule | undefined => {
  let best: Rule | undefined
  for (const rule of RULES) {
    if (rule.prefix === path) return rule
    // `/codesample`, the form of a new one, lies below the list as `/codesample/{id}` does.
    const matches = `${path}/`.startsWith(rule.prefix.endsWith('/') ? rule.prefix : `${rule.prefix}/`)
    if (matches && rule.prefix.length > (best?.prefix.length ?? 0)) best = rule
  }
  return best
}

/** The trail to a path: always from Home, by the longest matching beginning; the last crumb is no link. */
export const trailOf = (path: string, place: Place = {}): readonly Crumb[] => {
  const crumbs: Crumb[] = []
  for (let rule = ruleOf(path); rule !== undefined; rule = rule.parent === '/' ? undefined : ruleOf(rule.parent)) {
    const crumb = rule.crumb(place)
    if (crumb !== undefined) crumbs.unshift(crumb)
  }
  crumbs.unshift(HOME)
  if (place.name !== undefined && crumbs.at(-1)?.name !== place.name) crumbs.push({ name: place.name })
  const last = crumbs.pop() ?? HOME
  const { to: _to, ...words } = last
  return [...crumbs, words]
}
