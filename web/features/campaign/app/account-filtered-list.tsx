import type { ComponentProps } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { accountAt, accountsOf, useAccounts } from './app-query.ts'

const ACCOUNT = 'metaaccount'

/** A list that an address narrows to an app and its number (`appid`, `phone`): that is the number's account. */
export const AccountFilteredList = (props: Pick<ComponentProps<typeof EntityListPage>, 'cells'>) => {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const accounts = useAccounts()
  const app = params.get('appid')
  if (app === null || params.has(ACCOUNT) || accounts === undefined) return <EntityListPage {...props} />
  const account = accountAt(accountsOf(accounts, app), params.get('phone'))
  if (account === undefined) return <EntityListPage {...props} />
  const next = new URLSearchParams(params)
  next.set(ACCOUNT, account.id)
  return <Redirect to={{ pathname, search: `?${next}` }} />
}
