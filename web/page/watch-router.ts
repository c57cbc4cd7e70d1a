interface Going {
  readonly state: { readonly navigation: { readonly state: string } }
}

let going: Going | undefined

/** Tells pages of the router that shows them. Its state is newer than the page on the screen. */
export const watchRouter = (router: Going): void => {
  going = router
}

/** Whether a navigation waits, for the code of its page. */
export const isGoing = (): boolean => going !== undefined && going.state.navigation.state !== 'idle'
