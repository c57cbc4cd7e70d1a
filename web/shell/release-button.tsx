import { chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Hint } from '#web/components/hint.tsx'
import { releaseQuery, versionOf } from './release-note.ts'

const ReleaseNotes = lazy(() => import('./release-notes.tsx').then(m => ({ default: m.ReleaseNotes })))

/** The latest version, and what came with it. */
export const ReleaseButton = () => {
  const { t } = useTranslation('shell')
  const note = useQuery(releaseQuery).data
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const label = `V ${versionOf(note)}`
  return (
    <>
      <Hint text={t('release.title')}>
        <chakra.button
          ref={anchor}
          type="button"
          aria-label={`${label}, ${t('release.title')}`}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          h="6"
          px="2"
          borderRadius="full"
          borderWidth="1px"
          borderColor="border.emphasized"
          fontSize="2xs"
          color="fg.muted"
          whiteSpace="nowrap"
          cursor="pointer"
          _hover={{ bg: 'bg.subtle', color: 'fg' }}
          focusVisibleRing="outside"
        >
          {label}
        </chakra.button>
      </Hint>
      {open ? (
        <Suspense>
          <ReleaseNotes anchor={anchor.current} note={note ?? {}} label={label} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
