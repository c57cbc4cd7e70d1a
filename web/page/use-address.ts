import { useCallback } from 'react'
import { type NavigateOptions, useLocation, useNavigate, useSearchParams } from 'react-router'
import { basePath } from '#web/i18n/path-language.ts'
import { isGoing } from './watch-router.ts'

/** Values to set, by their names; one that is empty or undefined goes. */
export type AddressChange = Readonly<Record<string, string | undefined>>

const withChange = (params: URLSearchParams, change: AddressChange): URLSearchParams => {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/**
 * Page state in the query of the address. Updates start from the current address, not the last render: else the second
 * of two updates in a row would undo the first.
 */
export const useAddress = () => {
  const [params, setParams] = useSearchParams()
  const replace = (next: (before: URLSearchParams) => URLSearchParams): void =>
    setParams(next(new URLSearchParams(window.location.search)), { replace: true })
  return {
    params,
    replace,
    put: (change: AddressChange): void => replace(before => withChange(before, change)),
    /** As a link, from what is drawn. */
    addressOf: (change: AddressChange): string => `?${withChange(params, change)}`,
  }
}

const bare = (pathname: string): string => pathname.replace(/\/$/u, '')

/**
 * True while the user leaves the page for another, and after that. Checked before an effect, a timer or an answer changes
 * the address: the change would cancel a click that waits for the code of the next page.
 */
export const useIsLeaving = (): (() => boolean) => {
  const { pathname } = useLocation()
  return useCallback(() => {
    const drawn = new URL(basePath() + pathname, window.location.origin)
    return isGoing() || bare(window.location.pathname) !== bare(drawn.pathname)
  }, [pathname])
}

/** Navigates after an answer to the user's action. Does nothing if the user has left the page or is leaving it. */
export const useGuardedNavigate = () => {
  const navigate = useNavigate()
  const isLeaving = useIsLeaving()
  return async (to: string, options?: NavigateOptions): Promise<void> => {
    if (!isLeaving()) await navigate(to, options)
  }
}
