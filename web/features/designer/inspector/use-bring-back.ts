import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { flowAtQuery } from '../history/flow-at.ts'
import { useDesigner } from '../session/designer.ts'

/** Brings one block back as it stood at a revision, or only to where it stood; each is one step of one's own. */
export const useBringBack = (block: string) => {
  const { t } = useTranslation('designer')
  const client = useQueryClient()
  const { address, actions, notice, said } = useDesigner()
  const [busy, setBusy] = useState(false)
  const say = (text: string, end: { readonly undo?: true; readonly tone?: 'failed' }) => {
    said.set(text)
    notice.set({ text, ...end })
  }
  const bring = async (revision: number, what: 'whole' | 'place') => {
    setBusy(true)
    try {
      const { file } = await client.fetchQuery(flowAtQuery(address, revision))
      const changed = what === 'whole' ? actions.bringBack(block, file) : actions.moveBack(block, file)
      if (changed) say(t(`said.brought.${what}`), { undo: true })
      else say(t('said.brought.same'), {})
    } catch {
      say(t('said.brought.failed'), { tone: 'failed' })
    } finally {
      setBusy(false)
    }
  }
  return { busy, bring: (revision: number, what: 'whole' | 'place') => void bring(revision, what) }
}
