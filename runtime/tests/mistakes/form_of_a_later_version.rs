//~ this code was generated in form 3, of a later version of bothends, and bothends-runtime 0.1.0 reads form 2, of bothends 0.1
//~ use the bothends-runtime of the version that generated the code, or generate it again with bothends 0.1
bothends_runtime::generated_form!(3);
