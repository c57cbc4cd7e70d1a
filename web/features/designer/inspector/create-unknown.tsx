import { chakra } from '@chakra-ui/react'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCreateVariable } from './use-create-variable.ts'

/** Under an expression that reads a variable nobody declared: declares it, as a text. */
export const CreateUnknown = ({ name }: { readonly name: string }) => {
  const { t } = useTranslation('designer')
  const { may, create, isPending, refused } = useCreateVariable()
  if (!may || name === '') return null
  const declare = () => void create({ name, datatype: 'string', schema: '' }).catch(() => undefined)
  return (
    <>
      <button type="button" className="pl-open" disabled={isPending} onClick={declare}>
        <Plus size={13} aria-hidden />
        {t('uses.create', { name })}
      </button>
      {refused === undefined ? null : (
        <chakra.p role="alert" fontSize="xs" color="danger.fg">
          {refused}
        </chakra.p>
      )}
    </>
  )
}
