//~ this code was generated in form 1, of bothends before its first release, and bothends-runtime 0.1.0 reads form 2
bothends_runtime::generated_form!(1);
