import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { RouteError } from '#web/page/error-page.tsx'

export type Page = () => Promise<ComponentType>

/**
 * Returns the page, or a page that throws the load error: when `lazy` itself rejects, React Router 7.18 renders the
 * fallback of a parent route instead of the error element.
 */
export const loaded = async (load: Page): Promise<ComponentType> => {
  try {
    return await load()
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** A page that is loaded when it is first opened. */
export const pageRoute = (path: string, load: Page): RouteObject => ({
  path,
  lazy: async () => ({ Component: await loaded(load) }),
  errorElement: <RouteError />,
})
