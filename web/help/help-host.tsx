import i18next from 'i18next'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { isTyping } from '#web/shell/use-shortcut.ts'
import { help, useHelp } from './help-state.ts'

const panel = lazyModule(async () => {
  const [module] = await Promise.all([import('./help-panel.tsx'), i18next.loadNamespaces(['help', 'block'])])
  return module
})

const keySheet = lazyModule(async () => {
  const [module] = await Promise.all([import('./key-sheet.tsx'), i18next.loadNamespaces(['help', 'designer', 'desk'])])
  return module
})

const LatePanel = ({ isOver }: { readonly isOver: boolean }) => {
  const { value } = useLazyModule(panel)
  if (value === undefined) return null
  return isOver ? <value.HelpDrawer /> : <value.HelpPanel />
}

/** The sheet of keys as soon as it is there. */
export const LateKeySheet = ({ onClose }: { readonly onClose: () => void }) => {
  const { value } = useLazyModule(keySheet)
  const { pathname } = useLocation()
  if (value === undefined) return null
  return <value.KeySheet path={pathname} onClose={onClose} />
}

/**
 * F1 opens help wherever the focus is, the question mark where no text takes it. On the window, behind the keys of
 * pages: the designer and the desk have a sheet of keys for it.
 */
const useHelpKeys = (): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isAsked = event.key === 'F1' || (event.key === '?' && !isTyping(event.target))
      const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented
      if (!isAsked || isOther || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      help.toggle()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Shows the help panel and the sheet of keys; `isOver`: over the page, where there is no room beside it. */
export const HelpHost = ({ isOver }: { readonly isOver: boolean }) => {
  const { pathname } = useLocation()
  const { isOpen, hasKeys } = useHelp()
  useHelpKeys()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has its own help
  useEffect(() => {
    if (isOver) help.close()
    else help.follow()
  }, [pathname])
  return (
    <>
      {isOpen ? <LatePanel isOver={isOver} /> : null}
      {hasKeys ? <LateKeySheet onClose={help.closeKeys} /> : null}
    </>
  )
}
