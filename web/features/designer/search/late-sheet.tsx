import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { latePart, useLatePart } from '#web/late-part.ts'

const sheets = {
  search: latePart(async () => (await import('./search-sheet.tsx')).SearchSheet),
  uses: latePart(async () => (await import('./uses-sheet.tsx')).UsesSheet),
}

/** A sheet of the search, fetched when it is first opened. */
export const LateSheet = ({ name }: { readonly name: keyof typeof sheets }) => {
  const { t } = useTranslation('designer')
  const { value: Sheet, error } = useLatePart(sheets[name])
  if (Sheet !== undefined) return <Sheet />
  if (error === undefined) return null
  return (
    <chakra.p className="pl-sheet" role="alert" p="3.5" fontSize="sm">
      {t('seek.unloaded')}
    </chakra.p>
  )
}
