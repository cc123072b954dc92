/** GET, POST and the like, each in its colour, and readable without. */
import classes from './reference.module.css'

export const Method = ({ method }: { method: string }) => (
  <span className={classes.method} data-method={method}>
    {method === 'DELETE' ? 'DEL' : method}
  </span>
)
